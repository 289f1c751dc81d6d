// What a name becomes: the service's rule, so that one sees it while typing.

/** Empty: nothing is left of it. */
export function kebab(name: string): string {
    return (
        name
            // between a lower-case letter or digit and a capital
            .replace(/([\p{Ll}\p{Nd}]\p{M}*)(?=\p{Lu})/gu, "$1-")
            // before the last capital of a run that a small letter follows
            .replace(/(\p{Lu}\p{M}*)(?=\p{Lu}\p{M}*\p{Ll})/gu, "$1-")
            .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
            // a mark that follows no letter is none of the name's
            .replace(/(^|-)\p{M}+/gu, "$1")
            .replace(/-+/g, "-")
            .replace(/^-|-$/g, "")
            .toLowerCase()
    );
}

/** What is wrong with a name; undefined: nothing. */
export function nameError(name: string): string | undefined {
    const made = kebab(name);

    if (made === "") {
        return "Enter a name with at least one letter or digit.";
    }

    return [...made].length > 128
        ? `At most 128 characters: this has ${[...made].length}.`
        : undefined;
}
