/** Named pictures of a window, for people to look at; nothing where none are wanted. */
import { join } from 'node:path';
import type { EditorWindow } from './window.ts';

export interface Pictures {
  readonly wanted: boolean;
  take(name: string): Promise<void>;
}

export function pictures({ screenshots }: { readonly screenshots: string | null }, { page }: EditorWindow): Pictures {
  return {
    wanted: screenshots !== null,
    take: async (name) => {
      if (screenshots !== null) await page.screenshot({ path: join(screenshots, `${name}.png`) });
    },
  };
}
