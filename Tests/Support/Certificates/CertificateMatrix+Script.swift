extension CertificateMatrix {
    /// The `openssl.cnf` of the test authority and of an intermediate authority.
    ///
    /// Its database is not that of `Certificates`, so serial numbers are random, not counted.
    static let authorities = """
        [ca]
        default_ca = test
        [test]
        certificate = $ENV::CERTIFICATES/authority.pem
        private_key = $ENV::CERTIFICATES/authority.key
        database = index.txt
        rand_serial = yes
        new_certs_dir = .
        default_md = sha256
        default_days = 3650
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
        [server]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
        [client]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
        extendedKeyUsage = clientAuth

        """

    /// The servers' `OPENSSL_CONF`, which permits versions and algorithms that a system's policy forbids.
    static let permissive = """
        openssl_conf = all
        [all]
        ssl_conf = ssl
        [ssl]
        system_default = default
        [default]
        MinProtocol = TLSv1
        CipherString = DEFAULT@SECLEVEL=0

        """

    /// Makes the certificates that `Certificates` lacks; `$1` is the folder of the existing ones.
    ///
    /// All but the issuers and the weak one use the key of `Certificates.server`, which saves a command
    /// each.
    static let script = #"""
        export CERTIFICATES="$1"
        elliptic='ec -pkeyopt ec_paramgen_curve:prime256v1'

        # request NAME KEY
        request() {
            openssl req -new -newkey $2 -nodes -config openssl.cnf -subj /CN=localhost \
                -keyout "$1.key" -out "$1.csr"
        }
        # signed NAME REQUEST EXTENSIONS [OPTIONS]: by the test authority, or as the options say.
        signed() {
            name=$1 request=$2 extensions=$3
            shift 3
            openssl ca -config openssl.cnf -batch -notext -extensions "$extensions" "$@" \
                -in "$request" -out "$name.pem"
        }
        # by NAME: the options for another authority.
        by() {
            echo "-cert $1.pem -keyfile $1.key"
        }

        : >index.txt
        server="$CERTIFICATES/server.csr"
        openssl req -x509 -newkey $elliptic -nodes -config openssl.cnf -extensions authority \
            -days 3650 -subj '/CN=Unknown Authority' -keyout unknown.key -out unknown.pem
        request intermediate "$elliptic"
        request issuer "$elliptic"
        request weakKey rsa:1024
        signed intermediate intermediate.csr authority -subj '/CN=Intermediate Authority'
        signed issuer issuer.csr server -subj '/CN=Not An Authority'
        signed weakKey weakKey.csr server
        signed weakSignature "$server" server -md sha1
        signed missingIntermediate "$server" server $(by intermediate)
        signed notAnAuthority "$server" server $(by issuer)
        signed unknownAuthority "$server" server $(by unknown)
        signed notYetValid "$server" server -startdate 490101000000Z -enddate 491201000000Z
        signed wrongUsage "$server" client

        cat missingIntermediate.pem intermediate.pem >nothing.pem
        cat issuer.pem >>notAnAuthority.pem
        cat unknown.pem >>unknownAuthority.pem
        """#
}
