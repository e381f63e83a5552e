# bash completion for fetch
# Made by 'make docs' from the declarations of the flags: change those.

# Each line is a flag: what its value is (- where it has none), whether several add up, the
# flags that it excludes (- for none), and its names; the first one identifies it.
__fetch_flags='
file once - --output -O -o --output-document
- once - --remote-name
- once - --remote-name-all
directory once - --directory-prefix -P
directory once - --output-dir
- once - --create-dirs
- once - --force-directories
- once - --no-host-directories -nH
text once - --cut-dirs
- once - --no-use-server-timestamps
file once - --input-file -i
- once - --allow-file-urls
text once - --jobs -j --parallel-max
beginning|http://|https:// many - --url
- once - --globoff -g
text once - --wait
- once - --random-wait
text once - --rate
- once - --fail-early
- once - --background -b
text once - --identifier
text once - --on-complete
- once - --discretionary
- once - --no-discretionary
text once - --attach
- once - --background-list
- once - --background-list-json
text once - --background-pause
text once - --background-resume
- once - --background-resume-all
text once - --background-cancel
- once --timestamping|--continue --content-disposition -J --remote-header-name
- once --timestamping|--continue --trust-server-names
- once --timestamping --no-clobber -nc
words|each|group|none once - --sync
- once --content-disposition|--trust-server-names|--no-clobber|--etag-compare|--etag-save|--request-target|--raw --timestamping -N
file once --timestamping|--continue --etag-compare
file once --timestamping|--continue --etag-save
text once --checksum-from|--raw --checksum
file once --checksum|--raw --checksum-from
- once - --hold
- once - --ignore-digests
data many - --data -d --data-ascii
data many - --data-binary
text many - --data-raw --post-data --body-data
data many - --data-urlencode
data many - --json
form many - --form -F
text many - --form-string
file once - --upload-file
text once - --content-length
text once - --upload-offset
file once - --post-file --body-file
text once - --spool-limit
words|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS once - --request -X --method
text once --timestamping|--continue --request-target
- once - --path-as-is
- once - --head -I
- once --auto|--continue --include --show-headers
text many - --header -H
text once - --user-agent -U -A
beginning|http://|https:// once - --referer -e
- once - --get -G
text many - --url-query
file once - --time-cond -z
- once --no-compressed|--compression|--raw|--continue --compressed
- once --compressed --no-compressed
words|auto|none once --compressed --compression
- once --timestamping|--checksum|--checksum-from|--compressed|--range|--continue --raw
- once - --force
- once --include|--continue --auto
text once --raw|--continue --range -r
text many - --accept-type
text once - --max-filesize
text many - --accept-status
file once --content-on-error --error-body
text once --bearer --user -u --http-user
text once --bearer --password --http-password --http-passwd
- once - --ask-password
- once - --no-ask-password
file once - --use-askpass
words|any|basic|digest|ntlm|negotiate once - --auth
text many - --negotiate-to
text once --user|--password --bearer --oauth2-bearer
file once - --netrc-file
- once - --no-netrc
- once --forget-credentials|--ephemeral --save-credentials
- once --save-credentials --forget-credentials
text many - --secret-header
text once - --timeout -T --read-timeout
text once - --connect-timeout
text once - --max-time -m
text once - --max-connections-per-host
text once - --limit-rate
text once --ephemeral|--save-cookies --session
- once - --session-list
text once - --session-remove
- once --save-credentials|--session|--clear-cache|--save-cookies --ephemeral
text once - --split
file once - --config
- once - --no-config
words|protocol|reload|revalidate|prefer-cache|only-cache once --no-cache --cache-policy
- once --cache-policy --no-cache
text once - --cache-size
- once --ephemeral --clear-cache
- once --http1.1|--http2 --http1.0 -0
- once --http1.0|--http2 --http1.1
- once --http1.0|--http1.1 --http2
- once --inet6-only --inet4-only -4 --ipv4
- once --inet4-only --inet6-only -6 --ipv6
text many - --resolve
text many - --connect-to
text once - --proto
file once - --unix-socket
text once - --interface --bind-address
file once --no-cookies --load-cookies
file once --session|--ephemeral|--no-cookies --save-cookies
- once - --keep-session-cookies
text many - --cookie
- once --load-cookies|--save-cookies --no-cookies
words|always|never|main-document once - --cookie-policy
words|1.0|1.1|1.2|1.3 once - --tls-min
words|1.0|1.1|1.2|1.3 once - --tls-max
file once - --ca-certificate --cacert
directory once - --ca-directory --capath
file once - --crl-file --crlfile
file once - --certificate --cert
file once - --private-key --key
text once - --private-key-password --pass
words|PEM|DER|P12 once - --certificate-type --cert-type
text once - --ciphers
file once - --pinned-pubkey --pinnedpubkey
- once - --no-check-certificate -k --insecure
- once - --hsts
- once - --no-hsts
file once - --hsts-file
beginning|http://|https://|socks4://|socks4a://|socks5://|socks5h:// once - --proxy -x
text once - --proxy-user --proxy-username
- once - --proxytunnel
text once - --noproxy
- once - --no-proxy
words|follow|same-origin|none once - --redirect
text once - --proto-redir
- once - --location-trusted
text once - --max-redirect --max-redirs
- once - --post301
- once - --post302
- once - --post303
- once --content-disposition|--trust-server-names|--etag-compare|--etag-save|--request-target|--include|--compressed|--raw|--auto|--range --continue -c
text once - --tries -t
text once - --waitretry
text once - --retry-delay
text once - --retry-max-time
words|none once - --retry-on --retry-on-http-error
- once - --retry-connrefused
- once - --retry-all-errors
text once - --speed-limit
text once - --speed-time
- once - --wait-for-connectivity
- once - --verbose -v
- once - --no-verbose -nv
- once - --quiet -q
- once - --server-response -S
words|bar|lines|none once - --progress
- once - --show-progress
file once - --append-output -a
file once - --output-file
- once --error-body --content-on-error --fail-with-body
- once - --dry-run
- once - --help -h
- once - --version -V
data once - --write-out -w
file once - --har
file once - --dump-header -D
words|json once - --events
file once --events-fd --events-file
text once --events-file --events-fd
- once - --fail -f
- once - --location -L
- once - --remote-time -R
- once - --show-error
- once - --silent -s -sS
'

# Splits the line up to the cursor into the words that the command will see: readline breaks
# words also at = : and @, so that --output=FILE is three of its own.
__fetch_split() {
    local line=${COMP_LINE:0:COMP_POINT} index rest word
    words=()
    for ((index = 0; index <= COMP_CWORD; index++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        word=${COMP_WORDS[index]-}
        if ((index == COMP_CWORD)); then
            word=$rest
        fi
        if ((index > 0)) && [[ $rest == "$line" ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        line=${rest#"$word"}
    done
}

# Reads the table into kinds, firsts and order.
__fetch_read_table() {
    local kind often others first rest name
    while read -r kind often others first rest; do
        if [[ -z $first ]]; then
            continue
        fi
        order+=("$first")
        for name in $first $rest; do
            kinds[$name]=$kind
            firsts[$name]=$first
            several[$name]=$often
        done
        rests[$first]=$rest
        excluded[$first]=${others//|/ }
    done <<<"$__fetch_flags"
}

# Looks at a word of flags: seen becomes those in it, flag the one that takes a value, if any,
# and head what is before the value in the same word.
__fetch_read_flags() {
    local word=$1 letter index
    flag='' head='' seen=()
    if [[ $word == --*=* ]]; then
        flag=${word%%=*}
        head=$flag=
        seen=("$flag")
    elif [[ $word == --* || -n ${kinds[$word]-} ]]; then
        seen=("$word")
        if [[ ${kinds[$word]--} != - ]]; then
            flag=$word
        fi
    else
        for ((index = 1; index < ${#word}; index++)); do
            letter=-${word:index:1}
            seen+=("$letter")
            if [[ ${kinds[$letter]--} != - ]]; then
                flag=$letter
                if ((index + 1 < ${#word})); then
                    head=${word:0:index + 1}
                fi
                break
            fi
        done
    fi
}

# Offers those of the words that begin like the value, each behind the head.
__fetch_offer() {
    local candidate
    for candidate in "$@"; do
        if [[ $candidate == "$value"* ]]; then
            COMPREPLY+=("$head$candidate")
        fi
    done
}

# Offers paths of the kind $2, where $1 of the value is before the path. readline does it
# best, quotes and all, but it can only where a word of its own begins there.
__fetch_offer_paths() {
    local before=$head$1 path=${value#"$1"} plain='' candidate
    local -A options=([file]=default [directory]=dirnames) actions=([file]=-f [directory]=-d)
    if [[ -z $before || -n $breaks && $before == *["$breaks"] && $before != *@ ]]; then
        compopt -o "${options[$2]}"
        return 0
    fi
    # No shell expands a ~ there.
    if [[ $path == \~* ]]; then
        return 0
    fi
    if [[ -z $quote ]]; then
        while [[ $path == *\\?* ]]; do
            plain+=${path%%\\*}
            path=${path#*\\}
            plain+=${path:0:1}
            path=${path:1}
        done
    fi
    local -a found=()
    mapfile -t found < <(compgen "${actions[$2]}" -- "$plain$path")
    for candidate in "${found[@]}"; do
        if [[ -d $candidate ]]; then
            candidate+=/
            compopt -o nospace
        fi
        case $quote in
        \') candidate=${candidate//\'/\'\\\'\'} ;;
        \")
            candidate=${candidate//\\/\\\\}
            candidate=${candidate//\"/\\\"}
            candidate=${candidate//\$/\\\$}
            candidate=${candidate//\`/\\\`}
            ;;
        *) printf -v candidate '%q' "$candidate" ;;
        esac
        COMPREPLY+=("$before$candidate")
    done
}

# Offers values of a kind.
__fetch_offer_values() {
    local -a choices=()
    IFS='|' read -r -a choices <<<"$1"
    case $1 in
    file | directory) __fetch_offer_paths '' "$1" ;;
    data)
        if [[ $value == @* ]]; then
            __fetch_offer_paths @ file
        fi
        ;;
    form)
        if [[ $value == *=@* ]]; then
            __fetch_offer_paths "${value%%=@*}=@" file
        fi
        ;;
    words* | beginning*)
        __fetch_offer "${choices[@]:1}"
        if [[ $1 == beginning* ]]; then
            compopt -o nospace
        fi
        ;;
    esac
}

# Offers the flags that can still be of use; aliases only where nothing else begins so.
__fetch_offer_flags() {
    local first name
    local -a long=() short=() alias=()
    for first in "${order[@]}"; do
        if [[ -n ${used[$first]-} && ${several[$first]} == once ]]; then
            continue
        fi
        for name in ${excluded[$first]}; do
            if [[ -n ${used[$name]-} ]]; then
                continue 2
            fi
        done
        long+=("$first")
        for name in ${rests[$first]}; do
            if [[ $name == --* ]]; then
                alias+=("$name")
            else
                short+=("$name")
            fi
        done
    done
    __fetch_offer "${short[@]}" "${long[@]}"
    if ((${#COMPREPLY[@]} == 0)); then
        __fetch_offer "${alias[@]}"
    fi
}

__fetch() {
    local IFS=$' \t\n' flag='' head='' value word name
    local -a words=() order=() seen=()
    local -A kinds=() firsts=() several=() excluded=() rests=() used=()
    COMPREPLY=()
    __fetch_split
    if ((${#words[@]} < 2)); then
        return 0
    fi
    __fetch_read_table

    # The flags before the cursor; the last of them may wait for its value.
    local ended='' last=$((${#words[@]} - 1))
    for word in "${words[@]:1:last-1}"; do
        if [[ -n $flag ]]; then
            flag=''
        elif [[ $word == -- ]]; then
            ended=1
            break
        elif [[ $word == -?* ]]; then
            __fetch_read_flags "$word"
            for name in "${seen[@]}"; do
                used[${firsts[$name]-$name}]=1
            done
            if [[ -n $head ]]; then
                flag=''
            fi
        fi
    done

    # A value may begin within the word under the cursor, and it may have an open quote,
    # within which readline breaks no words.
    local current=${words[last]} quote='' breaks=''
    head=''
    if [[ -z $flag && -z $ended && $current == -?* ]]; then
        __fetch_read_flags "$current"
        if [[ -z $head ]]; then
            flag=''
        fi
    fi
    value=${current#"$head"}
    if [[ $value == [\"\']* ]]; then
        quote=${value:0:1}
        value=${value:1}
    fi
    if [[ -z $quote || -n $head ]]; then
        for name in = : @; do
            if [[ ${COMP_WORDBREAKS-=:@} == *"$name"* ]]; then
                breaks+=$name
            fi
        done
    fi

    if [[ -n $flag ]]; then
        __fetch_offer_values "${kinds[$flag]--}"
    elif [[ -z $ended && $current == -* ]]; then
        __fetch_offer_flags
    else
        __fetch_offer_values 'beginning|http://|https://'
    fi

    # Of a word that readline has broken, it wants the last part alone. An @ it leaves there.
    local taken=$head
    if [[ -z $quote ]]; then
        taken=$current
    fi
    if [[ -n $breaks && $taken == *["$breaks"]* ]]; then
        taken=${taken%"${taken##*["$breaks"]}"}
        taken=${taken%@}
        for name in "${!COMPREPLY[@]}"; do
            COMPREPLY[name]=${COMPREPLY[name]#"$taken"}
        done
    fi
    return 0
}

complete -F __fetch fetch
