// How numbers, money and moments are written for the reader.

/** exact decimals: text as the API has it, never a float */
export function money(exact: string): string {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(exact);

    if (match === null) {
        return `$${exact}`;
    }

    const [, sign = "", whole = "0", fraction = ""] = match;

    if (/^0*$/.test(fraction)) {
        return `${sign}$${grouped(whole)}${whole === "0" ? "" : ".00"}`;
    }

    // large amounts to the cent, small ones to three digits that say something
    const digits =
        whole !== "0" ? 2 : Math.max(2, fraction.search(/[1-9]/) + 3);

    return `${sign}$${rounded(whole, fraction, digits)}`;
}

function rounded(whole: string, fraction: string, digits: number): string {
    const cut = fraction.padEnd(digits + 1, "0");
    let value = BigInt(whole + cut.slice(0, digits));

    if (cut.charCodeAt(digits) >= 0x35) {
        value += 1n;
    }

    const text = value.toString().padStart(digits + 1, "0");
    const kept = text.slice(-digits).replace(/0+$/, "").padEnd(2, "0");

    return `${grouped(text.slice(0, -digits))}.${kept}`;
}

function grouped(whole: string): string {
    return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The exact sum of decimals. */
export function sumMoney(amounts: Iterable<string>): string {
    let scale = 0;
    let sum = 0n;

    for (const amount of amounts) {
        const [whole = "0", fraction = ""] = amount.split(".");

        if (fraction.length > scale) {
            sum *= 10n ** BigInt(fraction.length - scale);
            scale = fraction.length;
        }

        sum += BigInt(whole + fraction.padEnd(scale, "0"));
    }

    const sign = sum < 0n ? "-" : "";
    const text = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
    const whole = text.slice(0, text.length - scale);
    const fraction = text.slice(text.length - scale).replace(/0+$/, "");

    return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

const numbers = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", {
    notation: "compact",
    maximumSignificantDigits: 3,
});

export function number(value: number): string {
    return numbers.format(value);
}

export function compact(value: number): string {
    return Math.abs(value) < 10_000
        ? numbers.format(value)
        : short.format(value);
}

const units = ["KiB", "MiB", "GiB"];

/** Bytes: "812 bytes", "1.5 MiB". */
export function size(bytes: number): string {
    let value = bytes;
    let unit = "bytes";

    for (const next of units) {
        if (value < 1024) {
            break;
        }

        value /= 1024;
        unit = next;
    }

    return `${numbers.format(Number(value.toFixed(value < 10 ? 1 : 0)))} ${unit}`;
}

export function duration(ms: number): string {
    if (ms < 1000) {
        return `${ms} ms`;
    }

    return ms < 60_000
        ? `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
        : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const relative = new Intl.RelativeTimeFormat("en", {
    numeric: "auto",
    style: "short",
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, {
    dateStyle: "full",
    timeStyle: "long",
});
const minute = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
});

/** "5 min ago", and from a week on the date, in the reader's zone. */
export function ago(iso: string, now = Date.now()): string {
    const seconds = (Date.parse(iso) - now) / 1000;
    const distance = Math.abs(seconds);

    if (distance < 45) {
        return seconds > 0 ? "in a moment" : "just now";
    }

    if (distance < 45 * 60) {
        return relative.format(Math.round(seconds / 60), "minute");
    }

    if (distance < 22 * 3600) {
        return relative.format(Math.round(seconds / 3600), "hour");
    }

    return distance < 7 * 86_400
        ? relative.format(Math.round(seconds / 86_400), "day")
        : day.format(Date.parse(iso));
}

/** Date and minute, in the reader's zone. */
export function moment(iso: string): string {
    return minute.format(Date.parse(iso));
}

/** All there is to say of a moment, for hovering. */
export function exactMoment(iso: string): string {
    return `${exact.format(Date.parse(iso))} (${iso})`;
}
