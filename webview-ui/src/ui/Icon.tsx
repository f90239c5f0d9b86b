export type IconName =
  | 'account'
  | 'add'
  | 'archive'
  | 'bell'
  | 'check'
  | 'chevron-down'
  | 'chevron-right'
  | 'circle-outline'
  | 'circle-slash'
  | 'clock'
  | 'close'
  | 'comment'
  | 'debug-pause'
  | 'debug-start'
  | 'debug-stop'
  | 'diff'
  | 'edit'
  | 'error'
  | 'eye'
  | 'gear'
  | 'gripper'
  | 'hubot'
  | 'info'
  | 'loading'
  | 'lock'
  | 'note'
  | 'output'
  | 'pass'
  | 'project'
  | 'pulse'
  | 'question'
  | 'refresh'
  | 'warning';

/** A codicon. It says nothing by itself: the text beside it, or the button's label, does. */
export function Icon({ name, spin = false }: { readonly name: IconName; readonly spin?: boolean }) {
  return <span className={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
