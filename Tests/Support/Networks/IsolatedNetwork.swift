import Foundation
import Synchronization

/// A network for one test: a client and a server in two network namespaces, joined by one link.
///
/// The test takes the link down and up. A real nginx responds at the server's end, and on request a real
/// name server. The namespaces have no names that could remain. They disappear with their processes,
/// which are killed with the last reference, or when the test process ends. This process needs no further
/// rights where the kernel lets users make namespaces.
///
/// Loss and delay are not available: `tc netem` needs a module (`sch_netem`) that many kernels lack.
public final class IsolatedNetwork: Sendable {
    /// Whether this machine permits such a network.
    public static let isPossible = (try? IsolatedNetwork()) != nil

    /// The server's address, which is the name server's too.
    public static let serverAddress = "10.77.0.2"

    /// Makes the namespaces and the link, and then sleeps; they exist as long as it runs.
    private static let script = """
        mount --bind resolv.conf /etc/resolv.conf
        ip link add client type veth peer name server
        unshare --net sleep 1000000 &
        own=$(readlink /proc/$$/ns/net)
        until test "$(readlink /proc/$!/ns/net)" != "$own"; do kill -0 $!; done
        ip link set server netns $!
        nsenter --net=/proc/$!/ns/net sh -ec '
            ip addr add 10.77.0.2/24 dev server; ip link set server up; ip link set lo up'
        ip addr add 10.77.0.1/24 dev client
        ip link set lo up
        echo $! >server.pid
        echo $$ >client.tmp
        mv client.tmp client.pid
        exec sleep 1000000
        """

    private static let configuration = """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log error.log;
        events {}
        http {
            access_log access.log;
            client_body_temp_path bodies;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            map $http_range $rate { "" 10k; default 0; }
            server {
                listen 10.77.0.2:80;
                root root;
                location /stored/ { dav_methods PUT; }
                location /slow/ { alias root/; limit_rate $rate; }
                location /away { return 302 http://10.99.0.1/; }
            }
        }
        """

    /// The network's files; the server serves those in `root`.
    public let folder: TemporaryFolder
    private let client: String
    private let server: String
    /// The leaders of process groups.
    private let processes = Mutex<[pid_t]>([])

    /// Makes a network.
    ///
    /// - Parameter isUp: Whether the client's end of the link is up.
    /// - Throws: `TestSupportError` where the kernel permits no namespaces, or a program is missing.
    public init(isUp: Bool = true) throws {
        folder = try TemporaryFolder("network")
        try folder.makeFolder("root/stored")
        try folder.write("nameserver \(Self.serverAddress)\noptions timeout:1\n", to: "resolv.conf")
        try folder.write(Self.configuration, to: "nginx.conf")
        let own = Self.isRoot ? [] : ["--user", "--map-root-user"]
        let holder = Daemon(
            program: "unshare",
            arguments: own + ["--net", "--mount", "sh", "-ec", Self.script],
            folder: folder
        )
        var leader: pid_t = 0
        try holder.start { [folder] process in
            leader = process
            return folder.exists("client.pid")
        }
        processes.withLock { $0.append(leader) }
        client = (folder.readText("client.pid") ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        server = (folder.readText("server.pid") ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        try serve("nginx", ["-p", folder.path, "-c", folder.path("nginx.conf"), "-e", "stderr"]) {
            $0.size("nginx.pid") ?? 0 > 0
        }
        if isUp { try setLink(isUp: true) }
    }

    deinit {
        for process in processes.withLock({ $0 }).reversed() {
            kill(-process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            Janitor.shared.forget(process)
        }
    }

    /// A path on the server.
    public func url(_ path: String) -> String {
        "http://\(Self.serverAddress)\(path)"
    }

    /// Takes the client's end of the link down, with its routes, or up again.
    public func setLink(isUp: Bool) throws {
        try run("ip link set client $1", isUp ? "up" : "down", in: client)
    }

    /// Makes the kernel report the server as unreachable (`EHOSTUNREACH`), or reachable again.
    public func setRoute(isThere: Bool) throws {
        try run(
            "ip route $1 unreachable \(Self.serverAddress)",
            isThere ? "del" : "add",
            in: client
        )
    }

    /// Removes or restores the carrier at the server's end: the client's routes remain.
    public func setCarrier(isThere: Bool) throws {
        try run("ip link set server $1", isThere ? "up" : "down", in: server)
    }

    /// Starts a name server that knows one host, with the server's address, and denies all others.
    public func serveName(_ host: String) throws {
        let arguments = [
            "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
            "--user=root", "--group=root", "--log-facility=-",
            "--pid-file=\(folder.path("dnsmasq.pid"))", "--port=53",
            "--bind-interfaces", "--listen-address=\(Self.serverAddress)",
            "--local=/\(host.drop { $0 != "." }.dropFirst())/",
            "--address=/\(host)/\(Self.serverAddress)",
        ]
        try serve("dnsmasq", arguments) { $0.size("dnsmasq.pid") ?? 0 > 0 }
    }

    /// Prepares a run of `fetch` at the client's end.
    public func fetch(
        _ arguments: [String],
        in folder: TemporaryFolder? = nil,
        input: ProcessInput = .null,
        timeLimit: Duration = .seconds(30)
    ) throws -> FetchProcess {
        // The inner shell enters the folder again: renames do not cross the mounts of two namespaces.
        try FetchProcess(
            shell: """
                client=$1; shift
                exec nsenter \(Self.user) --target $client --net --mount -- \
                    sh -c 'cd "$1"; shift; exec "$@"' sh "$PWD" "$FETCH" "$@"
                """,
            [client] + arguments,
            in: folder,
            input: input,
            timeLimit: timeLimit
        )
    }

    private static var isRoot: Bool { geteuid() == 0 }
    private static var user: String { isRoot ? "" : "--user --preserve-credentials" }

    /// Starts a program at the server's end.
    private func serve(
        _ program: String,
        _ arguments: [String],
        isReady: (TemporaryFolder) -> Bool
    ) throws {
        let words = Self.user.split(separator: " ").map(String.init)
        let path = try Spawn.find(program)
        var leader: pid_t = 0
        try Daemon(
            program: "nsenter",
            arguments: words + ["--target", server, "--net", "--", path] + arguments,
            folder: folder
        ).start { [folder] process in
            leader = process
            return isReady(folder)
        }
        processes.withLock { $0.append(leader) }
    }

    private func run(_ script: String, _ argument: String, in holder: String) throws {
        try Tool.run(
            "nsenter \(Self.user) --target $2 --net -- \(script)",
            arguments: [argument, holder],
            in: folder
        )
    }
}
