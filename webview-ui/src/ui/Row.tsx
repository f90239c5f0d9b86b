/** A row of the sidebar that opens and closes. */
import { type ReactNode, useState } from 'react';
import { IconButton } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';

interface RowProps {
  readonly id?: string;
  /** Added to `job`, which every row has. */
  readonly className: string;
  readonly icon: IconName;
  readonly title: string;
  /** Opens it elsewhere. */
  readonly onOpen?: () => void;
  /** The expanded part, and the label of its button. */
  readonly parts?: { readonly label: string; readonly shown: ReactNode };
  /** Shown while the row is hovered or focused, as in VS Code's lists. Always shown on devices without a pointer. */
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

/** A job, a project or a task as a row: title, actions, facts. */
export function Row({ id, className, icon, title, onOpen, parts, acts, children }: RowProps) {
  const [open, setOpen] = useState(false);
  return (
    <li id={id} className={`job ${className}`}>
      <div className="job-head">
        {parts === undefined ? null : (
          <IconButton
            icon={open ? 'chevron-down' : 'chevron-right'}
            label={parts.label}
            expanded={open}
            onPress={() => setOpen(!open)}
          />
        )}
        <Icon name={icon} spin={icon === 'loading'} />
        {onOpen === undefined ? (
          <strong className="one-line" title={title}>
            {title}
          </strong>
        ) : (
          <button type="button" className="row-name one-line" title={title} onClick={onOpen}>
            {title}
          </button>
        )}
        {acts === undefined ? null : <span className="acts">{acts}</span>}
      </div>
      <div className="job-body">
        {children}
        {open ? parts?.shown : null}
      </div>
    </li>
  );
}
