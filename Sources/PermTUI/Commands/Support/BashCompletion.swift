import ArgumentParser

/// The completion script for bash.
///
/// The parser's script completes the words that bash has split at `:`, `@` and `=`, which are part of permtui's words. It
/// also lets bash expand each suggestion, so that a program's label could run a command, and suggests nothing after `help`.
/// All three are corrected here.
enum BashCompletion {
  /// Returns the script if the arguments ask for it.
  static func script(for arguments: [String]) -> String? {
    let option = "--generate-completion-script"
    guard arguments == [option, "bash"] || arguments == ["\(option)=bash"] else { return nil }
    let ending = "complete -o filenames -F _permtui permtui"
    let commands = PermTUI.names.joined(separator: "\n")
    return PermTUI.completionScript(for: .bash)
      .replacing(ending, with: corrections.replacing("COMMANDS", with: commands))
  }

  private static let corrections = #"""
    # Adds the suggestions that begin with the current word. They contain the names of programs, so they are quoted, and
    # never expanded.
    __permtui_add_completions() {
        local completion
        if [[ "${1}" = -W ]]; then
            while IFS='' read -r completion; do
                if [[ -n "${completion}" && "${completion}" = "${cur}"* ]]; then
                    [[ "${completion}" = */ ]] && compopt -o nospace 2>/dev/null
                    COMPREPLY+=("$(__permtui_quote "${completion}")")
                fi
            done <<<"${2}"
            compopt +o filenames 2>/dev/null
        else
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        fi
    }

    _permtui_help() {
        __permtui_add_completions -W 'COMMANDS'
    }

    # Quotes a suggestion in the way in which the current word was begun. The opening quote is not part of it.
    __permtui_quote() {
        local text="${1}"
        case "${open_quote}" in
            \") text="${text//\\/\\\\}"; text="${text//\"/\\\"}"; text="${text//\$/\\\$}"; text="${text//\`/\\\`}" ;;
            \') text="${text//\'/\'\\\'\'}" ;;
            *) printf %q "${text}"; return ;;
        esac
        printf %s "${text}"
    }

    # Sets whole_words to the words as they were typed, and whole_index to the index of the current one.
    __permtui_join_words() {
        local rest="${COMP_LINE}" word
        local -i index last=-1
        whole_words=()
        whole_index=0
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            if [[ "${index}" -gt 0 && -n "${rest}" && "${rest}" != [[:space:]]* ]]; then
                whole_words[last]+="${word}"
            else
                rest="${rest#"${rest%%[![:space:]]*}"}"
                last+=1
                whole_words[last]="${word}"
            fi
            rest="${rest#"${word}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && whole_index=last
        done
        return 0
    }

    _permtui_whole() {
        local -a whole_words
        local -i whole_index
        __permtui_join_words
        local -a COMP_WORDS=("${whole_words[@]}")
        local -i COMP_CWORD="${whole_index}"
        local whole="${COMP_WORDS[COMP_CWORD]}" open_quote=
        # The suggestions are compared with what is inside an open quote.
        if [[ "${whole}" = [\"\']* ]]; then
            open_quote="${whole:0:1}"
            whole="${whole:1}"
            COMP_WORDS[COMP_CWORD]="${whole}"
        fi
        _permtui "${1}" "${whole}" "${COMP_WORDS[COMP_CWORD - 1]}"
        # Bash replaces only what follows the last character at which it has split the word.
        local kept="${whole%"${2}"}"
        local -i index
        for index in "${!COMPREPLY[@]}"; do
            COMPREPLY[index]="${COMPREPLY[index]#"${kept}"}"
        done
    }

    complete -o filenames -F _permtui_whole permtui
    """#
}
