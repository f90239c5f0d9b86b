import '@vscode-elements/elements/dist/vscode-button/index.js';
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly secondary?: boolean;
  /** More than the label says, for a screen reader: what is approved, for instance. */
  readonly describes?: string;
}

export function Button({ label, onPress, secondary = false, describes }: ButtonProps) {
  return (
    <vscode-button secondary={secondary} onClick={onPress} aria-label={describes ? `${label}: ${describes}` : label}>
      {label}
    </vscode-button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
}

/** A toolbar action as VS Code has them: an icon with a tooltip. */
export function IconButton({ icon, label, onPress }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}
