import Testing

@testable import FetchCommand

@Suite struct FormFieldTests {
    private static func field(
        _ name: String,
        _ source: InputSource,
        filename: String? = nil,
        type: String? = nil
    ) -> FormField {
        FormField(name: name, source: source, filename: filename, contentType: type)
    }

    private static func field(
        _ name: String,
        _ file: InputPath,
        filename: String? = nil,
        type: String? = nil
    ) -> FormField {
        field(name, .read(file), filename: filename, type: type)
    }

    @Test(arguments: [
        ("a=b", [field("a", .text("b"))]),
        ("a=", [field("a", .text(""))]),
        ("a=b=c", [field("a", .text("b=c"))]),
        ("a=b,c", [field("a", .text("b,c"))]),
        ("a=b;type=text/html", [field("a", .text("b"), type: "text/html")]),
        ("a=b; filename=x.txt", [field("a", .text("b"), filename: "x.txt")]),
        ("a=\"b;c\"", [field("a", .text("b;c"))]),
        ("a=\"b\\\"\\\\c\\d\"", [field("a", .text("b\"\\c\\d"))]),
        ("a=\"open", [field("a", .text("\"open"))]),
        ("a=@dir/f.txt", [field("a", .file("dir/f.txt"), filename: "f.txt")]),
        ("a=@-", [field("a", .standardInput, filename: "-")]),
        ("a=<f", [field("a", .file("f"))]),
        ("a=<-;type=x/y", [field("a", .standardInput, type: "x/y")]),
        ("a=@f;filename=\"b;c\"", [field("a", .file("f"), filename: "b;c")]),
        ("a=@\"x,y\"", [field("a", .file("x,y"), filename: "x,y")]),
        (
            "a=@f;type=text/plain; charset=utf-8;filename=g",
            [field("a", .file("f"), filename: "g", type: "text/plain; charset=utf-8")]
        ),
        (
            "a=@f,g;type=x/y",
            [
                field("a", .file("f"), filename: "f"),
                field("a", .file("g"), filename: "g", type: "x/y"),
            ]
        ),
        ("a=@f;filename=", [field("a", .file("f"), filename: "")]),
        ("a= b\t\n", [field("a", .text("b"))]),
        ("a=\"b\"\n;\ttype=x/y", [field("a", .text("b"), type: "x/y")]),
        ("a= \" b \" ", [field("a", .text(" b "))]),
        ("a=  ", [field("a", .text(""))]),
        ("a= @f", [field("a", .text("@f"))]),
        ("a=@ f ;filename= g ", [field("a", .file("f"), filename: "g")]),
    ])
    func notation(_ text: String, _ fields: [FormField]) throws {
        #expect(try options("-F", text).form == fields)
    }

    @Test(arguments: [
        "a", "=b", "a=b;c", "a=b;encoder=base64", "a=b;headers=X: y", "a=@", "a=<", "a=@f,",
        "a=\"b\"c", "a=@f;type=nonsense", "a=@f;type=text/plain\r\nX: y", "a=b;",
        "a=(;type=multipart/mixed",
    ])
    func malformed(_ text: String) throws {
        let error = try #require(usageError(["-F", text, "u"]))
        #expect(error.message.hasPrefix("-F: "))
    }

    @Test func literalsAreNotInterpreted() throws {
        #expect(
            try options("--form-string", "a=@b;type=x").form == [
                Self.field("a", .text("@b;type=x"))
            ]
        )
    }
}
