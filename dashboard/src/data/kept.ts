// What the browser keeps of an account: drafts, inputs, the console's texts and
// key, the project that was chosen.  All but the theme.
// It is one account's: gone when they sign out, and when another signs in.

const OWNER = "prompt-account";
const KEPT = /^prompt(?!-theme$)/;

const inMemory: (() => void)[] = [];

/** whose this page's memory is; "": nobody's any more, undefined: not known */
let holder: string | undefined;

/** What else is to be forgotten: what a page holds of it. */
export function alsoForget(forget: () => void): void {
    inMemory.push(forget);
}

/**
 * Says whose it is now; account: "" where they have signed out, null where
 * nobody is signed in, which may be for a while.
 */
export function keptBy(account: string | null): void {
    const tab = read(() => sessionStorage);
    const all = read(() => localStorage);

    // signed out in another tab, while this one was elsewhere; whoever signed
    // in there since keeps what is theirs
    const left =
        account === null &&
        typeof tab === "string" &&
        all !== undefined &&
        tab !== all;

    const others = (owner: string | null | undefined) =>
        account !== null && owner !== undefined && owner !== account;

    const forgets = left || others(tab) || others(all) || others(holder);

    if (left || others(tab)) {
        clear(() => sessionStorage);
    }

    if ((left && all === null) || others(all)) {
        clear(() => localStorage);
    }

    if (account) {
        own(() => sessionStorage, account);
        own(() => localStorage, account);
    }

    holder = account ?? holder;

    if (forgets) {
        for (const forget of inMemory) {
            forget();
        }
    }
}

/** Whether what the browser keeps is this tab's account's, not another's. */
export function isOurs(): boolean {
    return read(() => localStorage) === read(() => sessionStorage);
}

/** Whose a storage is; null: nobody's, undefined: it keeps nothing. */
function read(storage: () => Storage): string | null | undefined {
    try {
        return storage().getItem(OWNER);
    } catch {
        return undefined;
    }
}

function own(storage: () => Storage, account: string): void {
    try {
        storage().setItem(OWNER, account);
    } catch {
        // it is full, or keeps nothing
    }
}

function clear(storage: () => Storage): void {
    try {
        const kept = storage();

        for (const name of Object.keys(kept)) {
            if (KEPT.test(name)) {
                kept.removeItem(name);
            }
        }
    } catch {
        // it keeps nothing
    }
}
