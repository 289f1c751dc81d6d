// What is typed of a budget.

/** What is wrong with a limit in US dollars; undefined: nothing. */
export function limitError(text: string): string | undefined {
    const limit = text.trim();

    if (limit === "") {
        return "Enter how much may be spent.";
    }

    return /^\d{1,12}(\.\d{1,12})?$/.test(limit)
        ? undefined
        : "Enter an amount such as 25 or 0.50.";
}

/** What is wrong with the percentage that it warns at; "" is none. */
export function warnError(text: string): string | undefined {
    return text === "" || /^(100|[1-9]\d?)$/.test(text)
        ? undefined
        : "Enter a whole number from 1 to 100.";
}
