export type IconName =
  | 'account'
  | 'add'
  | 'arrow-left'
  | 'bell'
  | 'check'
  | 'circle-outline'
  | 'close'
  | 'comment'
  | 'debug-pause'
  | 'debug-start'
  | 'debug-stop'
  | 'diff'
  | 'error'
  | 'gripper'
  | 'info'
  | 'list-tree'
  | 'loading'
  | 'lock'
  | 'note'
  | 'output'
  | 'pass'
  | 'project'
  | 'refresh'
  | 'target'
  | 'warning';

/** A codicon. It says nothing by itself: the text beside it, or the button's label, does. */
export function Icon({ name, spin = false }: { readonly name: IconName; readonly spin?: boolean }) {
  return <span className={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
