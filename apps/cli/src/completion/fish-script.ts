/** Completion for fish 3.4 and later. fish quotes what it inserts. */
export const fishScript = `# Completion of siteward for fish.
function __siteward_complete
    set -l words (commandline -opc)
    set -l plain (commandline -ct | string unescape)
    set -l answer (command siteward __complete fish $words[2..-1] "$plain" 2>/dev/null </dev/null)
    if test "$answer[1]" = file
        set -l flag (string match -r -- '^--[^=]+=' "$plain")
        for path in (__fish_complete_path (string replace -- "$flag" '' "$plain"))
            printf '%s%s\\n' "$flag" "$path"
        end
    else
        printf '%s\\n' $answer[2..-1]
    end
end
complete -c siteward -f -a '(__siteward_complete)'
`;
