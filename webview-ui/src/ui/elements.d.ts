/** The custom elements that the wrappers in this folder use, as JSX knows them. */
import type { ClassAttributes, HTMLAttributes } from 'react';

type Custom<Props> = ClassAttributes<HTMLElement> & HTMLAttributes<HTMLElement> & Props;

declare module 'react' {
  // biome-ignore lint/style/noNamespace: the only way to tell JSX of an element
  namespace JSX {
    interface IntrinsicElements {
      'vscode-single-select': Custom<{ readonly label: string; readonly value: string }>;
      'vscode-option': Custom<{ readonly value: string; readonly selected?: boolean }>;
    }
  }
}
