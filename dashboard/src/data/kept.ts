// What the browser keeps of an account: drafts, the console's texts and key.
// It is one account's: gone when they sign out, and when another signs in.

const OWNER = "prompt-account";
const KEPT = /^prompt(-console-|\.draft\.|-account$)/;

const inMemory: (() => void)[] = [];

/** What else is to be forgotten: what a page holds of it. */
export function alsoForget(forget: () => void): void {
    inMemory.push(forget);
}

/**
 * Says whose it is now; account: "" where they have signed out, null where
 * nobody is signed in, which may be for a while.
 */
export function keptBy(account: string | null): void {
    try {
        // signed out in another tab, while this one was elsewhere
        const left =
            account === null &&
            localStorage.getItem(OWNER) === null &&
            sessionStorage.getItem(OWNER) !== null;

        for (const storage of [localStorage, sessionStorage]) {
            if (
                left ||
                (account !== null && storage.getItem(OWNER) !== account)
            ) {
                clear(storage);
            }

            if (account) {
                storage.setItem(OWNER, account);
            }
        }
    } catch {
        // a browser that keeps nothing
    }
}

/** Whether what the browser keeps is this tab's account's, not another's. */
export function isOurs(): boolean {
    return localStorage.getItem(OWNER) === sessionStorage.getItem(OWNER);
}

function clear(storage: Storage): void {
    for (const name of Object.keys(storage)) {
        if (KEPT.test(name)) {
            storage.removeItem(name);
        }
    }

    for (const forget of inMemory) {
        forget();
    }
}
