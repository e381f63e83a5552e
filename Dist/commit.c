// What `fetch --version` says of the build: Scripts/link names the commit.
extern const char fetch_commit[];
const char fetch_commit[] = FETCH_COMMIT;
