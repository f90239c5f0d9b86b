/** A press while the same is under way begins nothing: what costs money is not begun twice by a double click. */
export interface OneByKey {
  has(key: string): boolean;
  /** Resolves at once, without the work, while work of this key is under way. */
  run(key: string, work: () => Promise<void>): Promise<void>;
}

export function oneByKey(): OneByKey {
  const underWay = new Set<string>();
  return {
    has: (key) => underWay.has(key),
    run: async (key, work) => {
      if (underWay.has(key)) return;
      underWay.add(key);
      try {
        await work();
      } finally {
        underWay.delete(key);
      }
    },
  };
}
