/// Why `--background` cannot obey a flag: its tasks are carried out by a process that has neither a
/// terminal nor anybody to tell.
enum BackgroundRefusal: String, Sendable {
    case sendsFilesOnly =
        "a background session sends bodies from files only: --post-file FILE, --upload-file FILE"
    case makesFiles = "a background session makes files"
    case knowsNames = "a background session has one name for a file, known from the start"
    case tellsLater = "nobody is told while it is in the background; --attach ID tells later"
    case asksLater = "there is nobody to be asked; --attach ID asks"
    case keepsNoPassword = """
        a background session keeps no password: --netrc-file FILE, or --auth basic, which sends it \
        unasked and keeps what it sends
        """
    case hasOwnCookies =
        "a background session has cookies of its own, which end with it; with --no-cookies none"
    case isOfForeground = "it is about what runs in the foreground keep"
    case comparesNothing = "what a background session has fetched is not compared with anything"
    case followsRedirects =
        "a background session follows every redirect, and no credential goes along"
    case makesWholeFiles = "a background session makes files, and these are whole or absent"
    case asksForURLs =
        "a background session asks for what a URL names, and sends whole files"
    case hasOwnRetries = """
        a background session tries again by rules of its own, until --max-time or --tries end it
        """
    case failsOnErrors = "an error status is a failure in the background"
    case hasOwnJobs = "a background session carries out 16 tasks at once, each to its own end"
}
