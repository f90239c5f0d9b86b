/** Buttons and links in VS Code's style. */
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly secondary?: boolean;
  /** Additional text for screen readers, for example the subject of an approval. */
  readonly describes?: string;
}

export function Button({ label, onPress, secondary = false, describes }: ButtonProps) {
  return (
    <button
      type="button"
      className={secondary ? 'button secondary' : 'button'}
      aria-label={describes ? `${label}: ${describes}` : label}
      onClick={onPress}
    >
      {label}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
  /** Whether the element that it controls is open. */
  readonly expanded?: boolean;
  /** Added to `icon-button`. */
  readonly className?: string;
}

/** A toolbar action as VS Code has them: an icon with a tooltip. */
export function IconButton({ icon, label, onPress, expanded, className }: IconButtonProps) {
  return (
    <button
      type="button"
      className={className === undefined ? 'icon-button' : `icon-button ${className}`}
      aria-label={label}
      aria-expanded={expanded}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

interface LinkProps extends ButtonProps {
  readonly icon?: IconName;
}

/** Navigates in the page, or is a small action in a line of text. */
export function Link({ label, onPress, describes, icon }: LinkProps) {
  return (
    <button type="button" className="link" aria-label={describes ? `${label}: ${describes}` : label} onClick={onPress}>
      {icon === undefined ? null : <Icon name={icon} />}
      {label}
    </button>
  );
}
