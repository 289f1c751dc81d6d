// What a new password has to be.

const shortest = 12;
const longest = 1024;

/** What is wrong with it; undefined: nothing. */
export function newPasswordError(password: string): string | undefined {
    const bytes = new TextEncoder().encode(password).length;

    if (password === "") {
        return "Enter a new password.";
    }

    if (bytes < shortest) {
        return `At least ${shortest} characters: a few words do well.`;
    }

    return bytes > longest ? `At most ${longest} bytes.` : undefined;
}
