extension Certificates {
    /// The configuration of `openssl ca`, which alone can set both dates and revoke.
    static let configuration = """
        [ca]
        default_ca = test
        [test]
        database = index.txt
        serial = serial
        new_certs_dir = .
        certificate = authority.pem
        private_key = authority.key
        default_md = sha256
        default_days = 3650
        default_crl_days = 3650
        unique_subject = no
        policy = any
        [any]
        commonName = supplied
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [local]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
        [wrong]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:wrong.example
        [client]
        basicConstraints = CA:FALSE
        extendedKeyUsage = clientAuth

        """

    /// Makes all certificates in its working folder; `$1` is the client's passphrase.
    static let script = #"""
        key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
        common='-config openssl.cnf -batch'

        # self NAME SUBJECT EXTENSIONS: signed by itself, in order today.
        self() {
            openssl req -x509 $key -config openssl.cnf -extensions "$3" -days 3650 \
                -subj "/CN=$2" -keyout "$1.key" -out "$1.pem"
        }
        # signed NAME SUBJECT EXTENSIONS [DATES]: signed by the authority.
        signed() {
            name=$1 subject=$2 extensions=$3
            shift 3
            openssl req -new $key -config openssl.cnf -subj "/CN=$subject" \
                -keyout "$name.key" -out "$name.csr"
            openssl ca $common -notext -extensions "$extensions" "$@" \
                -in "$name.csr" -out "$name.pem"
        }

        : >index.txt
        echo 1000 >serial
        self authority 'Test Authority' authority
        self other-authority 'Other Authority' authority
        self self-signed localhost local
        signed server localhost local
        signed expired localhost local -startdate 200101000000Z -enddate 200201000000Z
        signed wrong-host wrong.example wrong
        signed revoked localhost local
        signed client client client
        signed other-client client client -cert other-authority.pem -keyfile other-authority.key

        openssl ca $common -revoke revoked.pem
        openssl ca $common -gencrl -out revoked.crl
        mkdir hashed
        cp authority.pem hashed/
        openssl rehash hashed
        openssl pkey -in client.key -aes256 -passout "pass:$1" -out client.encrypted.key
        openssl x509 -in client.pem -outform der -out client.der
        openssl pkey -in client.key -outform der -out client.key.der
        openssl pkcs12 -export -in client.pem -inkey client.key -passout "pass:$1" -out client.p12
        openssl pkey -in server.key -pubout -outform der | openssl dgst -sha256 -binary |
            openssl base64 >server.pin
        """#
}
