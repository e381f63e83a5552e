# fish completion for fetch
# Made by 'make docs' from the declarations of the flags: change those.

# The beginning of a word of letters that take no value, for a regular expression.
set -g __fetch_switches '^-[gbJNIG046kcvqShVfLRs]*'

# Whether none of a flag's names, and of those it excludes, is on the line. With --value its own names are
# before a --, and it is none either if one of these is the last word, and waits for what is being typed.
function __fetch_is_unused
    set -l words (commandline -opc)[2..]
    set -q words[1]; or return 0
    # Each Tab calls this for every flag: the names on a line are read once.
    set -l line (string escape -- $words | string join ' ')
    if test "$line" != "$__fetch_line"
        set -g __fetch_line $line
        set -g __fetch_given (string replace -r -- '^(--[^=]*)=.*' '$1' $words)
        for letters in (string match -r -- $__fetch_switches'[^-]?' $words | string sub -s 2)
            set -a __fetch_given -(string split '' -- $letters)
        end
        set -g __fetch_last (string replace -r -- "$__fetch_switches(?=.\$)" - $words[-1])
    end
    if test "$argv[1]" = --value
        set -e argv[1]
        set -l own $argv
        if set -l bar (contains -i -- -- $argv)
            set -e own[$bar..-1]
            set -e argv[$bar]
        end
        contains -- $__fetch_last $own; and return 0
    end
    for name in $argv
        contains -- $name $__fetch_given; and return 1
    end
    return 0
end

# The files that fit behind the @ of the word under the cursor, with what is before them.
function __fetch_files_after_at
    set -l word (commandline -ct | string unescape; or commandline -ct)
    set -l value (string replace -r '^(--[^=]*=|-[^-@=])' '' -- $word)
    set -l parts (string match -r -- '^((?:[^=@]*=)?@)(.*)$' $value)
    and __fish_complete_path $parts[3] | string replace -r -- '^' $parts[2]
end

# What is no flag is a URL.
complete -c fetch -x -a 'http:// https://' -d URL

complete -c fetch -n '__fetch_is_unused --value --output -O -o --output-document' -s O -s o -l output -l output-document -r -F -d 'save the body as FILE; - is standard output'
complete -c fetch -n '__fetch_is_unused --remote-name' -l remote-name -d 'save under the URL\'s own name, and replace a file that has it'
complete -c fetch -n '__fetch_is_unused --remote-name-all' -l remote-name-all -d 'do the same for every URL'
complete -c fetch -n '__fetch_is_unused --value --directory-prefix -P' -s P -l directory-prefix -x -a '(__fish_complete_directories)' -d 'save under the URL\'s own name in DIR'
complete -c fetch -n '__fetch_is_unused --value --output-dir' -l output-dir -x -a '(__fish_complete_directories)' -d 'save in DIR, also with --output; DIR is created if it is missing'
complete -c fetch -n '__fetch_is_unused --create-dirs' -l create-dirs -d 'create the folders in the path of --output'
complete -c fetch -n '__fetch_is_unused --force-directories' -l force-directories -d 'save in a folder of the host\'s name, with the folders of the URL'
complete -c fetch -n '__fetch_is_unused --no-host-directories -nH' -o nH -l no-host-directories -d 'with --force-directories, make no folder of the host\'s name'
complete -c fetch -n '__fetch_is_unused --value --cut-dirs' -l cut-dirs -x -d 'with --force-directories, omit the first N folders of the URL'
complete -c fetch -n '__fetch_is_unused --no-use-server-timestamps' -l no-use-server-timestamps -d 'give files the time of the download, not the server\'s'
complete -c fetch -n '__fetch_is_unused --value --input-file -i' -s i -l input-file -r -F -d 'also fetch the URLs listed in FILE; - is standard input'
complete -c fetch -n '__fetch_is_unused --allow-file-urls' -l allow-file-urls -d 'also fetch file: URLs listed in the --input-file'
complete -c fetch -n '__fetch_is_unused --value --jobs -j --parallel-max' -s j -l jobs -l parallel-max -x -d 'fetch N URLs at once (4)'
complete -c fetch -l url -x -a 'http:// https://' -d 'fetch URL, as if it were given without --url'
complete -c fetch -n '__fetch_is_unused --globoff -g' -s g -l globoff -d 'take braces and brackets in URLs as characters of the URL'
complete -c fetch -n '__fetch_is_unused --value --wait' -l wait -x -d 'fetch one URL at a time, and wait SECONDS between them'
complete -c fetch -n '__fetch_is_unused --random-wait' -l random-wait -d 'vary the waits of --wait between 0.5 and 1.5 times SECONDS'
complete -c fetch -n '__fetch_is_unused --value --rate' -l rate -x -d 'start at most N tasks per UNIT: s, m, h (the default) or d'
complete -c fetch -n '__fetch_is_unused --fail-early' -l fail-early -d 'stop at the first URL that fails'
complete -c fetch -n '__fetch_is_unused --background -b' -s b -l background -d 'transfer in a separate process; print its session\'s name'
complete -c fetch -n '__fetch_is_unused --value --identifier' -l identifier -x -d 'use ID as the name of the --background session'
complete -c fetch -n '__fetch_is_unused --value --on-complete' -l on-complete -x -d 'run COMMAND when the session is done, or needs a password'
complete -c fetch -n '__fetch_is_unused --discretionary' -l discretionary -d 'let the session wait for mains power and an idle machine, at a low priority'
complete -c fetch -n '__fetch_is_unused --no-discretionary' -l no-discretionary -d 'start the session at once (the default)'
complete -c fetch -n '__fetch_is_unused --value --attach' -l attach -x -d 'report the results of a background session, and follow it to its end'
complete -c fetch -n '__fetch_is_unused --background-list' -l background-list -d 'list the background sessions and their tasks'
complete -c fetch -n '__fetch_is_unused --background-list-json' -l background-list-json -d 'list the background sessions as JSON, one object per line'
complete -c fetch -n '__fetch_is_unused --value --background-pause' -l background-pause -x -d 'pause the transfers of a background session'
complete -c fetch -n '__fetch_is_unused --value --background-resume' -l background-resume -x -d 'resume a background session, also after a reboot'
complete -c fetch -n '__fetch_is_unused --background-resume-all' -l background-resume-all -d 'resume all background sessions that a reboot has stopped'
complete -c fetch -n '__fetch_is_unused --value --background-cancel' -l background-cancel -x -d 'cancel a background session, and discard its unreported events'
complete -c fetch -n '__fetch_is_unused --content-disposition -J --remote-header-name --timestamping -N --continue -c' -s J -l content-disposition -l remote-header-name -d 'save the body under the file name that the server sends'
complete -c fetch -n '__fetch_is_unused --trust-server-names --timestamping -N --continue -c' -l trust-server-names -d 'save the body under the name of the URL that a redirect leads to'
complete -c fetch -n '__fetch_is_unused --no-clobber -nc --timestamping -N' -o nc -l no-clobber -d 'skip a URL if its file exists'
complete -c fetch -n '__fetch_is_unused --value --sync' -l sync -x -a 'each group none' -d 'synchronize files to disk: each alone, in a group, or none (group)'
complete -c fetch -n '__fetch_is_unused --timestamping -N --content-disposition -J --remote-header-name --trust-server-names --no-clobber -nc --etag-compare --etag-save --request-target --raw' -s N -l timestamping -d 'fetch only if the server\'s file differs from the existing one, and replace that'
complete -c fetch -n '__fetch_is_unused --value --etag-compare -- --timestamping -N --continue -c' -l etag-compare -r -F -d 'fetch only if the entity tag differs from the one in FILE'
complete -c fetch -n '__fetch_is_unused --value --etag-save -- --timestamping -N --continue -c' -l etag-save -r -F -d 'save the response\'s entity tag in FILE, for --etag-compare'
complete -c fetch -n '__fetch_is_unused --value --checksum -- --checksum-from --raw' -l checksum -x -d 'accept the body only with this checksum, such as sha256:HEX'
complete -c fetch -n '__fetch_is_unused --value --checksum-from -- --checksum --raw' -l checksum-from -r -F -d 'accept bodies only with the checksums in this list, such as SHA256SUMS'
complete -c fetch -n '__fetch_is_unused --hold' -l hold -d 'write nothing to standard output until the whole body has arrived and is verified'
complete -c fetch -n '__fetch_is_unused --ignore-digests' -l ignore-digests -d 'do not compare bodies with the digests that servers send'
complete -c fetch -s d -l data -l data-ascii -x -a '(__fetch_files_after_at)' -d 'send DATA by POST; @FILE sends a file, @- standard input'
complete -c fetch -l data-binary -x -a '(__fetch_files_after_at)' -d 'send DATA like --data, but leave files unchanged'
complete -c fetch -l data-raw -l post-data -l body-data -x -d 'send DATA like --data, but @ has no meaning'
complete -c fetch -l data-urlencode -x -a '(__fetch_files_after_at)' -d 'send DATA like --data, percent-encoded; NAME=DATA encodes what follows the ='
complete -c fetch -l json -x -a '(__fetch_files_after_at)' -d 'send DATA by POST as JSON, and accept JSON; also @FILE or @-'
complete -c fetch -s F -l form -x -a '(__fetch_files_after_at)' -d 'send a form field; @FILE attaches a file, <FILE reads the value'
complete -c fetch -l form-string -x -d 'send a form field like --form, with VALUE as it is'
complete -c fetch -n '__fetch_is_unused --value --upload-file' -l upload-file -r -F -d 'send FILE by PUT; - is standard input'
complete -c fetch -n '__fetch_is_unused --value --content-length' -l content-length -x -d 'send standard input or a FIFO with SIZE as its Content-Length'
complete -c fetch -n '__fetch_is_unused --value --upload-offset' -l upload-offset -x -d 'skip the first BYTES of the --upload-file, which the server already has'
complete -c fetch -n '__fetch_is_unused --value --post-file --body-file' -l post-file -l body-file -r -F -d 'send FILE by POST; - is standard input'
complete -c fetch -n '__fetch_is_unused --value --spool-limit' -l spool-limit -x -d 'buffer up to SIZE of a piped body, to send it again (1G; 0 disables this)'
complete -c fetch -n '__fetch_is_unused --value --request -X --method' -s X -l request -l method -x -a 'GET HEAD POST PUT PATCH DELETE OPTIONS' -d 'use METHOD as the request method'
complete -c fetch -n '__fetch_is_unused --value --request-target -- --timestamping -N --continue -c' -l request-target -x -d 'send TARGET on the request line instead of the URL\'s path and query'
complete -c fetch -n '__fetch_is_unused --path-as-is' -l path-as-is -d 'leave /../ and /./ in the URL\'s path'
complete -c fetch -n '__fetch_is_unused --head -I' -s I -l head -d 'request the header only, and print it'
complete -c fetch -n '__fetch_is_unused --include --show-headers --auto --continue -c' -l include -l show-headers -d 'write the header before the body, both to standard output'
complete -c fetch -s H -l header -x -d 'set \'Name: value\', remove \'Name:\', or send \'Name;\' empty; @FILE or @- reads such lines'
complete -c fetch -n '__fetch_is_unused --value --user-agent -U -A' -s U -s A -l user-agent -x -d 'send TEXT as User-Agent; empty sends none'
complete -c fetch -n '__fetch_is_unused --value --referer -e' -s e -l referer -x -a 'http:// https://' -d 'send URL as Referer, without a name and a password; empty sends none'
complete -c fetch -n '__fetch_is_unused --get -G' -s G -l get -d 'append --data and --data-urlencode to the URL\'s query, and use GET'
complete -c fetch -l url-query -x -d 'append DATA to the query, encoded like --data-urlencode; +DATA as it is'
complete -c fetch -n '__fetch_is_unused --value --time-cond -z' -s z -l time-cond -r -F -d 'fetch only if newer than DATE or FILE; with - before it, if older'
complete -c fetch -n '__fetch_is_unused --compressed --no-compressed --compression --raw --continue -c' -l compressed -d 'request a compressed body and decompress it, also with your own Accept-Encoding'
complete -c fetch -n '__fetch_is_unused --no-compressed --compressed' -l no-compressed -d 'do not request or decompress compressed bodies'
complete -c fetch -n '__fetch_is_unused --value --compression -- --compressed' -l compression -x -a 'auto none' -d 'decompress bodies: auto (on standard output) or none'
complete -c fetch -n '__fetch_is_unused --raw --timestamping -N --checksum --checksum-from --compressed --range -r --continue -c' -l raw -d 'write the body as received, with its chunk headers and still compressed'
complete -c fetch -n '__fetch_is_unused --force' -l force -d 'print binary bodies on a terminal too'
complete -c fetch -n '__fetch_is_unused --auto --include --show-headers --continue -c' -l auto -d 'choose between a file and standard output by the response'
complete -c fetch -n '__fetch_is_unused --value --range -r -- --raw --continue -c' -s r -l range -x -d 'fetch only these bytes: 0-499, 500- or, for the last 500, -500'
complete -c fetch -l accept-type -x -d 'refuse bodies whose media type does not match GLOB, such as image/*'
complete -c fetch -n '__fetch_is_unused --value --max-filesize' -l max-filesize -x -d 'refuse bodies larger than SIZE'
complete -c fetch -l accept-status -x -d 'treat these statuses as success, such as 404,410-412'
complete -c fetch -n '__fetch_is_unused --value --error-body -- --content-on-error --fail-with-body' -l error-body -r -F -d 'save the body as FILE when the status is 400 or above'
complete -c fetch -n '__fetch_is_unused --value --user -u --http-user -- --bearer --oauth2-bearer' -s u -l user -l http-user -x -d 'log in as NAME, at the origin of each URL, when its server asks'
complete -c fetch -n '__fetch_is_unused --value --password --http-password --http-passwd -- --bearer --oauth2-bearer' -l password -l http-password -l http-passwd -x -d 'log in with PASSWORD; also @FILE, env:NAME or fd:N'
complete -c fetch -n '__fetch_is_unused --ask-password' -l ask-password -d 'ask for the password, and ignore all other sources'
complete -c fetch -n '__fetch_is_unused --no-ask-password' -l no-ask-password -d 'never ask for a user or a password'
complete -c fetch -n '__fetch_is_unused --value --use-askpass' -l use-askpass -r -F -d 'run CMD to ask for user and password, instead of the terminal'
complete -c fetch -n '__fetch_is_unused --value --auth' -l auth -x -a 'any basic digest ntlm negotiate' -d 'log in by METHOD only: any, basic, digest, ntlm or negotiate'
complete -c fetch -l negotiate-to -x -d 'send your Kerberos ticket to HOST, or to all hosts below .DOMAIN, when it asks'
complete -c fetch -n '__fetch_is_unused --value --bearer --oauth2-bearer -- --user -u --http-user --password --http-password --http-passwd' -l bearer -l oauth2-bearer -x -d 'send a bearer token; also @FILE, env:NAME or fd:N'
complete -c fetch -n '__fetch_is_unused --value --netrc-file' -l netrc-file -r -F -d 'read users and passwords from FILE instead of ~/.netrc'
complete -c fetch -n '__fetch_is_unused --no-netrc' -l no-netrc -d 'do not read .netrc'
complete -c fetch -n '__fetch_is_unused --save-credentials --forget-credentials --ephemeral' -l save-credentials -d 'use saved credentials, and save those that a server accepts'
complete -c fetch -n '__fetch_is_unused --forget-credentials --save-credentials' -l forget-credentials -d 'delete the saved credentials for the hosts of the URLs, and fetch nothing'
complete -c fetch -l secret-header -x -d 'treat the header NAME as a credential'
complete -c fetch -n '__fetch_is_unused --value --timeout -T --read-timeout' -s T -l timeout -l read-timeout -x -d 'give up after SECONDS without data (60); 0 is never'
complete -c fetch -n '__fetch_is_unused --value --connect-timeout' -l connect-timeout -x -d 'give up connecting after SECONDS'
complete -c fetch -n '__fetch_is_unused --value --max-time -m' -s m -l max-time -x -d 'give up a task after SECONDS in total; 0 is never'
complete -c fetch -n '__fetch_is_unused --value --max-connections-per-host' -l max-connections-per-host -x -d 'open at most N connections to one host (6)'
complete -c fetch -n '__fetch_is_unused --value --limit-rate' -l limit-rate -x -d 'receive and send at most RATE bytes a second, as in 100k or 1.5M'
complete -c fetch -n '__fetch_is_unused --value --session -- --ephemeral --save-cookies' -l session -x -d 'use the session NAME: its cookies, its cache and its saved credentials'
complete -c fetch -n '__fetch_is_unused --session-list' -l session-list -d 'list the sessions of --session, and what each has saved'
complete -c fetch -n '__fetch_is_unused --value --session-remove' -l session-remove -x -d 'delete the session NAME'
complete -c fetch -n '__fetch_is_unused --ephemeral --save-credentials --session --clear-cache --save-cookies' -l ephemeral -d 'save nothing but the file; keep all else in memory'
complete -c fetch -n '__fetch_is_unused --value --split' -l split -x -d 'fetch each file over up to N connections (1)'
complete -c fetch -n '__fetch_is_unused --value --config' -l config -r -F -d 'read flags from FILE before those of the command line'
complete -c fetch -n '__fetch_is_unused --no-config' -l no-config -d 'do not read a configuration file'
complete -c fetch -n '__fetch_is_unused --value --cache-policy -- --no-cache' -l cache-policy -x -a 'protocol reload revalidate prefer-cache only-cache' -d 'use the cache by POLICY: protocol, reload, revalidate, prefer-cache or only-cache'
complete -c fetch -n '__fetch_is_unused --no-cache --cache-policy' -l no-cache -d 'use no cached response, neither this cache\'s nor a proxy\'s'
complete -c fetch -n '__fetch_is_unused --value --cache-size' -l cache-size -x -d 'limit the cache to SIZE bytes (512M); 0 disables it'
complete -c fetch -n '__fetch_is_unused --clear-cache --ephemeral' -l clear-cache -d 'empty the cache first; without a URL, do nothing else'
complete -c fetch -n '__fetch_is_unused --http1.0 -0 --http1.1 --http2' -s 0 -l http1.0 -d 'use HTTP/1.0'
complete -c fetch -n '__fetch_is_unused --http1.1 --http1.0 -0 --http2' -l http1.1 -d 'use HTTP/1.1 only'
complete -c fetch -n '__fetch_is_unused --http2 --http1.0 -0 --http1.1' -l http2 -d 'use HTTP/2 if the server supports it'
complete -c fetch -n '__fetch_is_unused --inet4-only -4 --ipv4 --inet6-only -6 --ipv6' -s 4 -l inet4-only -l ipv4 -d 'connect over IPv4 only'
complete -c fetch -n '__fetch_is_unused --inet6-only -6 --ipv6 --inet4-only -4 --ipv4' -s 6 -l inet6-only -l ipv6 -d 'connect over IPv6 only'
complete -c fetch -l resolve -x -d 'use ADDR for HOST and PORT instead of a name lookup'
complete -c fetch -l connect-to -x -d 'connect to TO and its PORT instead of HOST and PORT'
complete -c fetch -n '__fetch_is_unused --value --proto' -l proto -x -d 'allow only URLs of these schemes, as in =https; else exit with 11'
complete -c fetch -n '__fetch_is_unused --value --unix-socket' -l unix-socket -r -F -d 'connect to the Unix socket PATH instead of the host'
complete -c fetch -n '__fetch_is_unused --value --interface --bind-address' -l interface -l bind-address -x -d 'connect from the interface or local address NAME'
complete -c fetch -n '__fetch_is_unused --value --load-cookies -- --no-cookies' -l load-cookies -r -F -d 'read cookies from FILE, in the format that curl, wget and browsers share'
complete -c fetch -n '__fetch_is_unused --value --save-cookies -- --session --ephemeral --no-cookies' -l save-cookies -r -F -d 'save cookies to FILE, in the format that curl, wget and browsers share'
complete -c fetch -n '__fetch_is_unused --keep-session-cookies' -l keep-session-cookies -d 'save session cookies too'
complete -c fetch -l cookie -x -d 'send these cookies after the stored ones; also @FILE, env:NAME or fd:N'
complete -c fetch -n '__fetch_is_unused --no-cookies --load-cookies --save-cookies' -l no-cookies -d 'store no cookies, and send only those of --cookie and --header'
complete -c fetch -n '__fetch_is_unused --value --cookie-policy' -l cookie-policy -x -a 'always never main-document' -d 'accept cookies always, never, or from the main-document only'
complete -c fetch -n '__fetch_is_unused --value --tls-min' -l tls-min -x -a '1.0 1.1 1.2 1.3' -d 'use TLS VERSION or newer: 1.0, 1.1, 1.2 or 1.3'
complete -c fetch -n '__fetch_is_unused --value --tls-max' -l tls-max -x -a '1.0 1.1 1.2 1.3' -d 'use TLS VERSION or older: 1.0, 1.1, 1.2 or 1.3'
complete -c fetch -n '__fetch_is_unused --value --ca-certificate --cacert' -l ca-certificate -l cacert -r -F -d 'trust the certificate authorities in FILE (PEM) instead of the system\'s'
complete -c fetch -n '__fetch_is_unused --value --ca-directory --capath' -l ca-directory -l capath -x -a '(__fish_complete_directories)' -d 'trust the certificate authorities in DIR instead of the system\'s'
complete -c fetch -n '__fetch_is_unused --value --crl-file --crlfile' -l crl-file -l crlfile -r -F -d 'refuse the certificates revoked in FILE (PEM)'
complete -c fetch -n '__fetch_is_unused --value --certificate --cert' -l certificate -l cert -r -F -d 'use the client certificate in FILE'
complete -c fetch -n '__fetch_is_unused --value --private-key --key' -l private-key -l key -r -F -d 'read the client certificate\'s key from FILE'
complete -c fetch -n '__fetch_is_unused --value --private-key-password --pass' -l private-key-password -l pass -x -d 'decrypt the private key with PHRASE; also @FILE, env:NAME or fd:N'
complete -c fetch -n '__fetch_is_unused --value --certificate-type --cert-type' -l certificate-type -l cert-type -x -a 'PEM DER P12' -d 'read certificate and key as PEM, DER or P12'
complete -c fetch -n '__fetch_is_unused --value --ciphers' -l ciphers -x -d 'offer the ciphers of LIST, in OpenSSL\'s notation'
complete -c fetch -n '__fetch_is_unused --value --pinned-pubkey --pinnedpubkey' -l pinned-pubkey -l pinnedpubkey -r -F -d 'require this public key from the server'
complete -c fetch -n '__fetch_is_unused --no-check-certificate -k --insecure' -s k -l no-check-certificate -l insecure -d 'accept any certificate; others on the network can then read and change everything'
complete -c fetch -n '__fetch_is_unused --hsts' -l hsts -d 'use TLS for hosts that have required it before (HSTS; the default)'
complete -c fetch -n '__fetch_is_unused --no-hsts' -l no-hsts -d 'ignore which hosts require TLS (HSTS)'
complete -c fetch -n '__fetch_is_unused --value --hsts-file' -l hsts-file -r -F -d 'remember the HSTS hosts in FILE, which curl --hsts can share'
complete -c fetch -n '__fetch_is_unused --value --proxy -x' -s x -l proxy -x -a 'http:// https:// socks4:// socks4a:// socks5:// socks5h://' -d 'use the proxy URL: http, https, socks4, socks4a, socks5 or socks5h'
complete -c fetch -n '__fetch_is_unused --value --proxy-user --proxy-username' -l proxy-user -l proxy-username -x -d 'log in at the proxy as NAME, when it asks; also @FILE, env:NAME or fd:N'
complete -c fetch -n '__fetch_is_unused --proxytunnel' -l proxytunnel -d 'use a tunnel through an HTTP proxy (CONNECT) for http URLs too'
complete -c fetch -n '__fetch_is_unused --value --noproxy' -l noproxy -x -d 'connect to these hosts directly: names and addresses with commas, or *'
complete -c fetch -n '__fetch_is_unused --no-proxy' -l no-proxy -d 'use no proxy, and ignore those in the environment'
complete -c fetch -n '__fetch_is_unused --value --redirect' -l redirect -x -a 'follow same-origin none' -d 'choose which redirects to follow: follow (all), same-origin or none'
complete -c fetch -n '__fetch_is_unused --value --proto-redir' -l proto-redir -x -d 'follow redirects only to these schemes, as in =https; else exit with 11'
complete -c fetch -n '__fetch_is_unused --location-trusted' -l location-trusted -d 'send user, password and cookies to any host after a redirect'
complete -c fetch -n '__fetch_is_unused --value --max-redirect --max-redirs' -l max-redirect -l max-redirs -x -d 'follow at most N redirects (20)'
complete -c fetch -n '__fetch_is_unused --post301' -l post301 -d 'keep the method POST and its body after a 301'
complete -c fetch -n '__fetch_is_unused --post302' -l post302 -d 'keep the method POST and its body after a 302'
complete -c fetch -n '__fetch_is_unused --post303' -l post303 -d 'keep the method POST and its body after a 303'
complete -c fetch -n '__fetch_is_unused --continue -c --content-disposition -J --remote-header-name --trust-server-names --etag-compare --etag-save --request-target --include --show-headers --compressed --raw --auto --range -r' -s c -l continue -d 'continue a partial download'
complete -c fetch -n '__fetch_is_unused --value --tries -t' -s t -l tries -x -d 'try N times in total (5); 0 is unlimited'
complete -c fetch -n '__fetch_is_unused --value --waitretry' -l waitretry -x -d 'wait at most SECONDS between tries (10)'
complete -c fetch -n '__fetch_is_unused --value --retry-delay' -l retry-delay -x -d 'always wait SECONDS between tries'
complete -c fetch -n '__fetch_is_unused --value --retry-max-time' -l retry-max-time -x -d 'start no further try after SECONDS; 0 is no limit'
complete -c fetch -n '__fetch_is_unused --value --retry-on --retry-on-http-error' -l retry-on -l retry-on-http-error -x -a 'none' -d 'retry after these statuses, or none'
complete -c fetch -n '__fetch_is_unused --retry-connrefused' -l retry-connrefused -d 'retry after a refused connection too'
complete -c fetch -n '__fetch_is_unused --retry-all-errors' -l retry-all-errors -d 'retry after every error'
complete -c fetch -n '__fetch_is_unused --value --speed-limit' -l speed-limit -x -d 'give up a try that is slower than RATE bytes a second for --speed-time (30 s)'
complete -c fetch -n '__fetch_is_unused --value --speed-time' -l speed-time -x -d 'allow a try to be slower than --speed-limit (1) for SECONDS (whole seconds)'
complete -c fetch -n '__fetch_is_unused --wait-for-connectivity' -l wait-for-connectivity -d 'wait for a network if there is none'
complete -c fetch -n '__fetch_is_unused --verbose -v' -s v -l verbose -d 'show requests and responses; -vv the session\'s events too'
complete -c fetch -n '__fetch_is_unused --no-verbose -nv' -o nv -l no-verbose -d 'print one line per task'
complete -c fetch -n '__fetch_is_unused --quiet -q' -s q -l quiet -d 'print errors only'
complete -c fetch -n '__fetch_is_unused --server-response -S' -s S -l server-response -d 'print the headers of responses'
complete -c fetch -n '__fetch_is_unused --value --progress' -l progress -x -a 'bar lines none' -d 'show progress as bar, lines or none'
complete -c fetch -n '__fetch_is_unused --show-progress' -l show-progress -d 'show progress even with --quiet'
complete -c fetch -n '__fetch_is_unused --value --append-output -a' -s a -l append-output -r -F -d 'append messages to LOG instead of standard error'
complete -c fetch -n '__fetch_is_unused --value --output-file' -l output-file -r -F -d 'write messages to LOG instead of standard error'
complete -c fetch -n '__fetch_is_unused --content-on-error --fail-with-body --error-body' -l content-on-error -l fail-with-body -d 'write the body even if the status is 400 or above'
complete -c fetch -n '__fetch_is_unused --dry-run' -l dry-run -d 'print the request and the task, and send nothing'
complete -c fetch -n '__fetch_is_unused --help -h' -s h -l help -d 'print the most used flags; --help all prints all of them'
complete -c fetch -n '__fetch_is_unused --version -V' -s V -l version -d 'print the versions of fetch and its libraries'
complete -c fetch -n '__fetch_is_unused --value --write-out -w' -s w -l write-out -x -a '(__fetch_files_after_at)' -d 'print FORMAT after each task, as in \'%{http_code} %{time_total}\\n\''
complete -c fetch -n '__fetch_is_unused --value --har' -l har -r -F -d 'record requests and responses in FILE, in the HAR format'
complete -c fetch -n '__fetch_is_unused --value --dump-header -D' -s D -l dump-header -r -F -d 'write the headers of all responses to FILE as they arrive; - is standard output'
complete -c fetch -n '__fetch_is_unused --value --events' -l events -x -a 'json' -d 'write events for programs to read; FORMAT is json'
complete -c fetch -n '__fetch_is_unused --value --events-file -- --events-fd' -l events-file -r -F -d 'write the events to FILE, which is overwritten'
complete -c fetch -n '__fetch_is_unused --value --events-fd -- --events-file' -l events-fd -x -d 'write the events to descriptor N, as in --events-fd 3 3>FILE'
complete -c fetch -n '__fetch_is_unused --fail -f' -s f -l fail -d 'do nothing: errors are always reported'
complete -c fetch -n '__fetch_is_unused --location -L' -s L -l location -d 'do nothing: redirects are followed'
complete -c fetch -n '__fetch_is_unused --remote-time -R' -s R -l remote-time -d 'do nothing: files keep the server\'s time'
complete -c fetch -n '__fetch_is_unused --show-error' -l show-error -d 'do nothing: errors are always shown'
complete -c fetch -n '__fetch_is_unused --silent -s -sS' -s s -o sS -l silent -d 'show no progress'
