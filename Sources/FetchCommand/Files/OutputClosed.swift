/// The reader of a pipe has gone: the end, and no error of ours.
struct OutputClosed: Error {}
