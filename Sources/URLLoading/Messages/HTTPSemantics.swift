// The rules of HTTP do not depend on sessions, so they are a separate module. A program that imports
// this library also gets that module.
@_exported public import HTTPSemantics
