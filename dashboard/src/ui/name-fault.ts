// What somebody calls a thing: not nothing, and no more than fits.

/** What is wrong with a name of at most so many characters; undefined: nothing. */
export function nameFault(name: string, most: number): string | undefined {
    const length = [...name.trim()].length;

    if (length === 0) {
        return "Enter a name.";
    }

    return length > most
        ? `At most ${most} characters: this has ${length}.`
        : undefined;
}
