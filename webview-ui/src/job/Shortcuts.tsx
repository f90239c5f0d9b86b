/** The keyboard shortcuts of the board, as a list. */
import type { RefObject } from 'react';
import { t } from '../store/l10n.ts';
import { Button } from '../ui/Button.tsx';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], t('Search features')],
  [['↑', '↓', '←', '→'], t('Go from card to card')],
  [['Enter'], t('Show the details of a card')],
  [['↑', '↓', '←', '→'], t('Go from step to step of a task')],
  [['Esc'], t('Close the details, and go back to the card')],
  [['Tab'], t('Reach the buttons of a card, and its handle')],
  [['Space'], t('On the handle: pick the card up, and put it down')],
  [[t('Ctrl Enter'), '⌘ Enter'], t('Send the message to a project')],
  [['?'], t('Show these keys')],
];

/** Keyboard shortcuts of the board. Escape closes the dialog. */
export function Shortcuts({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} className="shortcuts" aria-label={t('Keyboard Shortcuts')}>
      <h2>{t('Keyboard Shortcuts')}</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Button secondary label={t('Close')} onPress={() => dialog.current?.close()} />
    </dialog>
  );
}
