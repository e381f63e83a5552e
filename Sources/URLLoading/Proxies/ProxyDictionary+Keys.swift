// CFNetwork's global names and values.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Whether `http` URLs have a separate proxy: a number.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The host of the proxy for `http` URLs.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for `http` URLs; default: 80.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// Whether `https` URLs have a separate proxy: a number.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The host of the proxy for `https` URLs; the connection to the proxy is without TLS, and tunneled.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for `https` URLs; default: 443.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// Whether URLs without a separate proxy use a SOCKS proxy: a number.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The host of the SOCKS proxy, which looks up names itself.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; default: 1080.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// The hosts to reach without a proxy: an array of entries as in `no_proxy`, also in the form `169.254/16`.
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"
/// Whether a session reaches hosts without a dot in their names without a proxy: a number.
public let kCFNetworkProxiesExcludeSimpleHostnames = "ExcludeSimpleHostnames"
/// Whether a script chooses the proxy: a number; only 0 is supported.
public let kCFNetworkProxiesProxyAutoConfigEnable = "ProxyAutoConfigEnable"
/// The script's URL; ignored, because scripts are not supported.
public let kCFNetworkProxiesProxyAutoConfigURLString = "ProxyAutoConfigURLString"
/// Whether the network provides a script: a number; only 0 is supported.
public let kCFNetworkProxiesProxyAutoDiscoveryEnable = "ProxyAutoDiscoveryEnable"
/// The user for the proxies.
public let kCFProxyUsernameKey = "kCFProxyUsernameKey"
/// The password for the proxies.
public let kCFProxyPasswordKey = "kCFProxyPasswordKey"
/// The version of SOCKS, one of the next two values; default: 5.
public let kCFStreamPropertySOCKSVersion = "kCFStreamPropertySOCKSVersion"
/// SOCKS 4a.
public let kCFStreamSocketSOCKSVersion4 = "kCFStreamSocketSOCKSVersion4"
/// SOCKS 5.
public let kCFStreamSocketSOCKSVersion5 = "kCFStreamSocketSOCKSVersion5"
