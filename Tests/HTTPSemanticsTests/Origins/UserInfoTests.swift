import HTTPSemantics
import Testing

@Suite("Users and passwords in texts")
struct UserInfoTests {
    @Test(
        "users and passwords in a text are redacted, and nothing else is",
        arguments: [
            ("see http://me:pw@h/x now", "see http://(redacted)@h/x now"),
            ("http://u:p'w@h/", "http://(redacted)@h/"),
            ("http://us:s3/cret@h/", "http://(redacted)@h/"),
            ("//me@h", "//(redacted)@h"),
            ("https://u.com/@types/node", "https://u.com/@types/node"),
            ("http://h:8443/@x", "http://h:8443/@x"), ("http://[::1]:8/@x", "http://[::1]:8/@x"),
            ("mail me@h", "mail me@h"),
            ("'foo://usr:pw@1.2.3.4:1'", "'foo://(redacted)@1.2.3.4:1'"),
            ("<http://h/a>,<http://u:PW@h/b>", "<http://h/a>,<http://(redacted)@h/b>"),
            ("<http://h>,<//u:PW@h>;x", "<http://h>,<//(redacted)@h>;x"),
            ("http://h/?u=http://u:PW@h/", "http://h/?u=http://(redacted)@h/"),
            ("http://a:b@h/?u=http://u:PW@h/", "http://(redacted)@h/?u=http://(redacted)@h/"),
            ("http://me:a\"PW@h/", "http://(redacted)@h/"),
            ("http://me:a,PW@h/", "http://(redacted)@h/"),
            ("http://me:a\"/P>W@h/ x@y", "http://(redacted)@h/ x@y"),
            ("http://me:a\u{a0}\u{3000}PW@h/", "http://(redacted)@h/"),
            ("http:///me:PW@h/", "http:///(redacted)@h/"),
            ("http://h:80\tme@x", "http://h:80\tme@x"),
            ("realm=\"http://h:80\" by=\"a@b\"", "realm=\"http://h:80\" by=\"a@b\""),
            ("//", "//"), ("//@", "//(redacted)@"), ("a//", "a//"),
            ("http:\\\\me:PW@h\\x", "http:\\\\(redacted)@h\\x"),
            ("http://us\\\\er:P\\W@h/ //me:PW@i", "http://(redacted)@h/ //(redacted)@i"),
            ("//h:80\\\\i:81\\\\me:PW@j", "//(redacted)@j"),
            ("//[::1]\\\\[::2]/@x", "//[::1]\\\\[::2]/@x"),
        ]
    )
    func redacted(text: String, shown: String) {
        #expect(UserInfo.redacted(in: text) == shown)
    }

    @Test(
        "redaction of a long hostile text takes linear time",
        arguments: [
            String(repeating: "//a:b", count: 50_000) + " @",
            "@" + String(repeating: "\\\\a", count: 100_000),
            "@" + String(repeating: ":\\\\a", count: 100_000),
        ]
    )
    func redactedLong(text: String) {
        let start = ContinuousClock.now
        #expect(UserInfo.redacted(in: text).utf8.count == text.utf8.count)
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
