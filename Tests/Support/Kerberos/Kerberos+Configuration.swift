extension Kerberos {
    /// The `krb5.conf` of clients and servers.
    ///
    /// Names are never looked up, so that `localhost` keeps its name.
    static func clientConfiguration(port: Int) -> String {
        """
        [libdefaults]
        default_realm = \(realm)
        dns_lookup_realm = false
        dns_lookup_kdc = false
        dns_canonicalize_hostname = false
        rdns = false
        udp_preference_limit = 1
        [realms]
        \(realm) = {
            kdc = 127.0.0.1:\(port)
        }
        [domain_realm]
        localhost = \(realm)
        .test = \(realm)

        """
    }

    /// The `kdc.conf` of the centre, which uses TCP only.
    static func configuration(folder: TemporaryFolder, port: Int) -> String {
        """
        [kdcdefaults]
        kdc_listen = ""
        kdc_tcp_listen = 127.0.0.1:\(port)
        [realms]
        \(realm) = {
            database_name = \(folder.path)/principal
            key_stash_file = \(folder.path)/stash
            acl_file = \(folder.path)/acl
            supported_enctypes = aes256-cts-hmac-sha1-96:normal
        }
        [logging]
        kdc = FILE:\(folder.path)/kdc.log
        default = FILE:\(folder.path)/default.log

        """
    }

    /// Makes the database, with a user and the service's keys.
    static let database = """
        kdb5_util create -s -P master
        kadmin.local <<END
        addprinc -pw $2 $1
        addprinc -randkey HTTP/localhost
        addprinc -randkey HTTP/127.0.0.1
        ktadd -k http.keytab HTTP/localhost HTTP/127.0.0.1
        END
        test -s http.keytab
        """

    /// Gets the user's ticket.
    static let ticket = #"printf '%s\n' "$2" | kinit "$1""#
}
