// The rules of HTTP, which need nothing of a session, are a module of their own. A program that imports
// this library has them too.
@_exported public import HTTPSemantics
