/**
 * Completion for zsh 5 and later. It works from a file in \`$fpath\` and when it is sourced. zsh quotes what it inserts. In the
 * texts that \`_describe\` reads, a colon ends the value.
 */
export const zshScript = `#compdef siteward
# Completion of siteward for zsh.
_siteward() {
  local kind line value
  local -a lines items
  lines=("\${(@f)$(command siteward __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  kind=$lines[1]
  if [[ $kind == file ]]; then
    compset -P '--[^=]#='
    _files
    return
  fi
  for line in "\${(@)lines[2,-1]}"; do
    value=\${line%%$'\\t'*}
    value=\${value//\\\\/\\\\\\\\}
    items+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#items )) || return 1
  if [[ $kind == list ]]; then
    _describe -t values value items -S ''
  else
    _describe -t values value items
  fi
}
if [[ $funcstack[1] == _siteward ]]; then
  _siteward "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _siteward siteward
fi
`;
