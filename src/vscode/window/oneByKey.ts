/** Runs at most one action per key, so that a double click does not start a paid action twice. */
export interface OneByKey {
  has(key: string): boolean;
  /** Runs `work`. Resolves at once, without running it, while work of this key is running. */
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
