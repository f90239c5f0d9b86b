/** The steward's wishes: each is checked against the state and comes to an event. Runs in the owner alone. */
import { failure } from '../../shared/errors.ts';
import { boardWishes } from '../job/wishes/board.ts';
import { jobWishes } from '../job/wishes/jobs.ts';
import type { FileWishName, ProjectWishName, TaskWishName, Wishes, WishPorts } from '../job/wishes/ports.ts';
import { resultWishes } from '../job/wishes/results.ts';
import { stewardWishes } from '../job/wishes/steward.ts';
import { tryNowWish } from '../job/wishes/tryNow.ts';
import { WISHES, type WishAnswer, type WishName } from '../state/api.ts';

/** The door for all surfaces: the input is validated here, whoever sent it. */
export async function grant<N extends WishName>(wishes: Wishes, name: N, input: unknown): Promise<WishAnswer<N>> {
  const parsed = WISHES[name].safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw failure(
      'INVALID_INPUT',
      `${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not right'}`.replace('  ', ' '),
    );
  }
  const wish = wishes[name] as (of: unknown) => Promise<WishAnswer<N>>;
  return wish(parsed.data);
}

/** All but those of projects, tasks and files. */
export function wishTable(ports: WishPorts): Omit<Wishes, FileWishName | ProjectWishName | TaskWishName> {
  return {
    ...jobWishes(ports),
    ...resultWishes(ports),
    ...stewardWishes(ports),
    ...boardWishes(ports),
    ...tryNowWish(ports),
  };
}
