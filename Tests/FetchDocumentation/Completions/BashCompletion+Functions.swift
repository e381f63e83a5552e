extension BashCompletion {
    /// The shell functions that read the table.
    ///
    /// They must work under `nounset`, with any `IFS`, and with words of any content.
    static let functions = #"""
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

        """#
}
