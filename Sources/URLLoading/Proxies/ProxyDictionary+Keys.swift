// CFNetwork's own global names, with CFNetwork's own values.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Whether `http` URLs have a proxy of their own: a number.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The host of the proxy for `http` URLs.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for `http` URLs; without it 80.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// Whether `https` URLs have a proxy of their own: a number.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The host of the proxy for `https` URLs, which is asked for tunnels, over a connection without TLS.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for `https` URLs; without it 443.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// Whether there is a SOCKS proxy for all URLs without a proxy of their own: a number.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The host of the SOCKS proxy, which looks up names itself.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; without it 1080.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// The hosts that are reached without a proxy: an array of entries of `no_proxy`,
/// and `169.254/16`.
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"
/// Whether hosts whose names have no dot are reached without a proxy: a number.
public let kCFNetworkProxiesExcludeSimpleHostnames = "ExcludeSimpleHostnames"
/// Whether a script chooses the proxy: a number, and only 0 can be obeyed.
public let kCFNetworkProxiesProxyAutoConfigEnable = "ProxyAutoConfigEnable"
/// The script's URL; not read, since no script is run.
public let kCFNetworkProxiesProxyAutoConfigURLString = "ProxyAutoConfigURLString"
/// Whether the network names a script: a number, and only 0 can be obeyed.
public let kCFNetworkProxiesProxyAutoDiscoveryEnable = "ProxyAutoDiscoveryEnable"
/// The user for the proxies.
public let kCFProxyUsernameKey = "kCFProxyUsernameKey"
/// The password for the proxies.
public let kCFProxyPasswordKey = "kCFProxyPasswordKey"
/// The version of SOCKS: one of the next two; without it 5.
public let kCFStreamPropertySOCKSVersion = "kCFStreamPropertySOCKSVersion"
/// SOCKS 4a.
public let kCFStreamSocketSOCKSVersion4 = "kCFStreamSocketSOCKSVersion4"
/// SOCKS 5.
public let kCFStreamSocketSOCKSVersion5 = "kCFStreamSocketSOCKSVersion5"
