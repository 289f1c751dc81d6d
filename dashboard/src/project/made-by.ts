// Keys below the keys that made them.

export interface MadeRow<K> {
    key: K;
    /** 0: it was made by no key of the list */
    depth: number;
}

/** In their order, each followed by those that it made. */
export function underTheirMakers<
    K extends { id: string; parentId: string | null },
>(keys: readonly K[]): MadeRow<K>[] {
    const known = new Set(keys.map((key) => key.id));
    const made = new Map<string | null, K[]>();
    const rows: MadeRow<K>[] = [];

    for (const key of keys) {
        const maker = known.has(key.parentId ?? "") ? key.parentId : null;

        made.set(maker, [...(made.get(maker) ?? []), key]);
    }

    function put(maker: string | null, depth: number) {
        for (const key of made.get(maker) ?? []) {
            rows.push({ key, depth });
            put(key.id, depth + 1);
        }
    }

    put(null, 0);

    return rows;
}
