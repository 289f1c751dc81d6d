// Markdown as a tree: what models write, no more.  HTML is text, an address is
// a link only where it is http(s), a picture is a link to it.
//
// The text is anybody's: no expression here goes back over what it has seen,
// nesting has an end, and a line that is too long is text.

export type Inline =
    | string
    | { kind: "strong" | "em" | "del"; children: Inline[] }
    | { kind: "code"; text: string }
    | { kind: "link"; href: string; children: Inline[] }
    | { kind: "break" };

export type Align = "left" | "center" | "right" | undefined;

export type Block =
    | { kind: "heading"; depth: number; children: Inline[] }
    | { kind: "paragraph"; children: Inline[] }
    | { kind: "code"; language: string; text: string }
    | { kind: "quote"; blocks: Block[] }
    | { kind: "list"; start: number | undefined; items: Block[][] }
    | {
          kind: "table";
          align: Align[];
          head: Inline[][];
          rows: Inline[][][];
      }
    | { kind: "rule" };

/** levels of quotes, lists, and of marks within marks */
const DEPTH = 8;

/** characters of a line, or paragraph, in which marks are looked for */
const LONGEST = 10_000;

/** of an address and the text of a link */
const LINK = 1000;

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\s]{0,40})/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const INDENTED = /^ *(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const DELIMITERS =
    /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

export function parseMarkdown(text: string): Block[] {
    return blocksOf(text.split(/\r\n?|\n/), 0);
}

function isBlank(line: string | undefined): boolean {
    return line === undefined || line.trim() === "";
}

function indentOf(line: string): number {
    let at = 0;

    while (line[at] === " ") {
        at++;
    }

    return at;
}

/** what ends a paragraph without a blank line */
function begins(line: string): boolean {
    const item = ITEM.exec(line);

    return (
        FENCE.test(line) ||
        HEADING.test(line) ||
        QUOTE.test(line) ||
        RULE.test(line) ||
        // a year at the beginning of a line is no list
        (item !== null &&
            item[0].length < line.length &&
            /^(?:[-*+]|1[.)])$/.test(item[2] ?? ""))
    );
}

function isTable(lines: readonly string[], at: number): boolean {
    const head = lines[at] ?? "";
    const below = lines[at + 1] ?? "";

    return (
        head.includes("|") &&
        below.length <= LINK &&
        below.includes("-") &&
        DELIMITERS.test(below) &&
        cellsOf(head).length === cellsOf(below).length
    );
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
    const blocks: Block[] = [];
    let at = 0;

    while (at < lines.length) {
        const line = lines[at] as string;

        if (isBlank(line)) {
            at++;
            continue;
        }

        const read =
            fence(lines, at) ??
            indented(lines, at) ??
            heading(line, at) ??
            (RULE.test(line)
                ? { block: { kind: "rule" } as Block, next: at + 1 }
                : undefined) ??
            (depth < DEPTH
                ? (quote(lines, at, depth) ?? list(lines, at, depth))
                : undefined) ??
            (isTable(lines, at) ? table(lines, at) : undefined) ??
            paragraph(lines, at);

        blocks.push(read.block);
        at = read.next;
    }

    return blocks;
}

interface Read {
    block: Block;
    next: number;
}

function fence(lines: readonly string[], at: number): Read | undefined {
    const open = FENCE.exec(lines[at] as string);

    if (open === null) {
        return undefined;
    }

    const mark = open[1] as string;
    const indent = indentOf(lines[at] as string);
    const text: string[] = [];
    let next = at + 1;

    for (; next < lines.length; next++) {
        const line = (lines[next] as string).trim();

        if (line.startsWith(mark) && line === line[0]?.repeat(line.length)) {
            next++;
            break;
        }

        const whole = lines[next] as string;

        text.push(whole.slice(Math.min(indent, indentOf(whole))));
    }

    return {
        block: {
            kind: "code",
            language: open[2] ?? "",
            text: text.join("\n"),
        },
        next,
    };
}

function indented(lines: readonly string[], at: number): Read | undefined {
    const isCode = (line: string) => /^(?: {4}|\t)/.test(line);

    if (!isCode(lines[at] as string)) {
        return undefined;
    }

    let next = at;

    while (
        next < lines.length &&
        (isCode(lines[next] as string) || isBlank(lines[next]))
    ) {
        next++;
    }

    while (isBlank(lines[next - 1])) {
        next--;
    }

    return {
        block: {
            kind: "code",
            language: "",
            text: lines
                .slice(at, next)
                .map((line) => line.replace(/^(?: {1,4}|\t)/, ""))
                .join("\n"),
        },
        next,
    };
}

function heading(line: string, at: number): Read | undefined {
    const mark = HEADING.exec(line)?.[1];

    if (mark === undefined) {
        return undefined;
    }

    let text = line.slice(line.indexOf(mark) + mark.length).trim();
    let end = text.length;

    while (text[end - 1] === "#") {
        end--;
    }

    if (end === 0 || text[end - 1] === " ") {
        text = text.slice(0, end).trim();
    }

    return {
        block: {
            kind: "heading",
            depth: mark.length,
            children: inlineOf(text),
        },
        next: at + 1,
    };
}

function quote(
    lines: readonly string[],
    at: number,
    depth: number,
): Read | undefined {
    const inside: string[] = [];
    let next = at;

    for (; next < lines.length; next++) {
        const mark = QUOTE.exec(lines[next] as string);

        if (mark === null) {
            break;
        }

        inside.push((lines[next] as string).slice(mark[0].length));
    }

    return next === at
        ? undefined
        : {
              block: { kind: "quote", blocks: blocksOf(inside, depth + 1) },
              next,
          };
}

function list(
    lines: readonly string[],
    at: number,
    depth: number,
): Read | undefined {
    const first = ITEM.exec(lines[at] as string);

    if (first === null) {
        return undefined;
    }

    const kind = (mark: string | undefined) => mark?.at(-1);
    const items: Block[][] = [];
    let next = at;

    for (;;) {
        const mark = ITEM.exec(lines[next] ?? "");

        if (mark === null || kind(mark[2]) !== kind(first[2])) {
            break;
        }

        const [all, before = "", sign = ""] = mark;
        const inner = Math.min(all.length, before.length + sign.length + 4);
        const inside = [(lines[next] as string).slice(all.length)];

        for (next++; next < lines.length; next++) {
            const line = lines[next] as string;
            const blank = isBlank(lines[next - 1]);
            const indent = indentOf(line);
            // two spaces are enough for a list within one: many write so
            const within =
                indent >= inner ||
                (indent >= before.length + 2 && INDENTED.test(line));

            if (
                !isBlank(line) &&
                !within &&
                (blank || begins(line) || ITEM.test(line))
            ) {
                break;
            }

            inside.push(line.slice(Math.min(indent, inner)));
        }

        items.push(blocksOf(inside, depth + 1));
    }

    const number = Number.parseInt(first[2] ?? "", 10);

    return {
        block: {
            kind: "list",
            start: Number.isNaN(number) ? undefined : number,
            items,
        },
        next,
    };
}

function cellsOf(line: string): string[] {
    const text = line.trim().replace(/^\|/, "");
    const cells: string[] = [];
    let cell = "";

    for (let at = 0; at < text.length; at++) {
        if (text[at] === "\\" && text[at + 1] === "|") {
            cell += "|";
            at++;
        } else if (text[at] === "|") {
            cells.push(cell.trim());
            cell = "";
        } else {
            cell += text[at];
        }
    }

    if (cell.trim() !== "" || cells.length === 0) {
        cells.push(cell.trim());
    }

    return cells;
}

function alignOf(cell: string): Align {
    const end = cell.endsWith(":");

    return cell.startsWith(":")
        ? end
            ? "center"
            : "left"
        : end
          ? "right"
          : undefined;
}

function table(lines: readonly string[], at: number): Read {
    const align = cellsOf(lines[at + 1] as string).map(alignOf);
    const cells = (line: string) =>
        cellsOf(line).slice(0, align.length).map(inlineOf);
    const rows: Inline[][][] = [];
    let next = at + 2;

    for (; next < lines.length; next++) {
        const line = lines[next] as string;

        if (isBlank(line) || begins(line)) {
            break;
        }

        rows.push(cells(line));
    }

    return {
        block: { kind: "table", align, head: cells(lines[at] as string), rows },
        next,
    };
}

function paragraph(lines: readonly string[], at: number): Read {
    let next = at + 1;

    for (; next < lines.length; next++) {
        const line = lines[next] as string;
        const under = UNDERLINE.exec(line);

        if (under) {
            return {
                block: {
                    kind: "heading",
                    depth: under[1]?.startsWith("=") ? 1 : 2,
                    children: inlineOf(lines.slice(at, next).join("\n").trim()),
                },
                next: next + 1,
            };
        }

        if (isBlank(line) || begins(line)) {
            break;
        }
    }

    return {
        block: {
            kind: "paragraph",
            children: inlineOf(
                lines
                    .slice(at, next)
                    .map((line) => line.trimStart())
                    .join("\n")
                    .trimEnd(),
            ),
        },
        next,
    };
}

/** An address that may be followed: http(s), as the browser reads it. */
export function safeAddress(text: string): string | undefined {
    if (!/^https?:\/\//i.test(text)) {
        return undefined;
    }

    try {
        return new URL(text).href;
    } catch {
        return undefined;
    }
}

const WORD = /[\p{L}\p{N}_]/u;
const SPECIAL = /[\\`*_~[!<\nhH]/g;

export function inlineOf(text: string): Inline[] {
    return new InlineReader(text.length > LONGEST ? "" : text, 0).read(text);
}

class InlineReader {
    readonly #text: string;
    readonly #depth: number;
    /** marks that are not closed any more: looked for once */
    readonly #open = new Set<string>();
    #made: Inline[] = [];
    #plain = "";

    constructor(text: string, depth: number) {
        this.#text = text;
        this.#depth = depth;
    }

    /** whole: what is given back where nothing is looked at */
    read(whole: string): Inline[] {
        if (this.#text === "" || this.#depth > DEPTH) {
            return whole === "" ? [] : [whole];
        }

        for (let at = 0; at < this.#text.length; ) {
            SPECIAL.lastIndex = at;

            const found = SPECIAL.exec(this.#text)?.index ?? this.#text.length;

            this.#plain += this.#text.slice(at, found);
            at = found;

            if (at < this.#text.length) {
                const next = this.#mark(at);

                if (next === undefined) {
                    this.#plain += this.#text[at];
                    at++;
                } else {
                    at = next;
                }
            }
        }

        this.#put();

        return this.#made;
    }

    #put(node?: Inline) {
        if (this.#plain !== "") {
            this.#made.push(this.#plain);
            this.#plain = "";
        }

        if (node !== undefined) {
            this.#made.push(node);
        }
    }

    #inner(text: string): Inline[] {
        return new InlineReader(text, this.#depth + 1).read(text);
    }

    /** Reads what stands at a mark; where it ends; undefined: it is text. */
    #mark(at: number): number | undefined {
        const text = this.#text;

        switch (text[at]) {
            case "\\":
                return this.#escape(at);
            case "`":
                return this.#code(at);
            case "*":
            case "_":
                return text[at + 1] === text[at]
                    ? this.#between(at, `${text[at]}${text[at]}`, "strong")
                    : this.#between(at, text[at] as string, "em");
            case "~":
                return text[at + 1] === "~"
                    ? this.#between(at, "~~", "del")
                    : undefined;
            case "!":
                return text[at + 1] === "["
                    ? this.#link(at + 1, true)
                    : undefined;
            case "[":
                return this.#link(at, false);
            case "<":
                return this.#address(at + 1, ">");
            case "\n":
                return this.#newline(at);
            default:
                return this.#bare(at);
        }
    }

    #escape(at: number): number | undefined {
        const next = this.#text[at + 1];

        if (next === "\n") {
            this.#put({ kind: "break" });
            return at + 2;
        }

        if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) {
            return undefined;
        }

        this.#plain += next;
        return at + 2;
    }

    #newline(at: number): number {
        const hard = this.#plain.endsWith("  ");

        this.#plain = this.#plain.trimEnd();

        if (hard) {
            this.#put({ kind: "break" });
        } else {
            this.#plain += "\n";
        }

        return at + 1;
    }

    #code(at: number): number {
        const text = this.#text;
        let end = at;

        while (text[end] === "`") {
            end++;
        }

        const mark = text.slice(at, end);
        let close = this.#open.has(mark) ? -1 : text.indexOf(mark, end);

        while (close >= 0 && text[close + mark.length] === "`") {
            let after = close;

            while (text[after] === "`") {
                after++;
            }

            close = text.indexOf(mark, after);
        }

        if (close < 0) {
            this.#open.add(mark);
            this.#plain += mark;
            return end;
        }

        const inside = text.slice(end, close);

        this.#put({
            kind: "code",
            text: /^ .*[^ ].* $/s.test(inside) ? inside.slice(1, -1) : inside,
        });

        return close + mark.length;
    }

    #between(
        at: number,
        mark: string,
        kind: "strong" | "em" | "del",
    ): number | undefined {
        const text = this.#text;
        const from = at + mark.length;
        const inWord = (i: number) => WORD.test(text[i] ?? "");

        if (
            this.#open.has(mark) ||
            /\s/.test(text[from] ?? " ") ||
            (mark[0] === "_" && inWord(at - 1))
        ) {
            return undefined;
        }

        for (let close = from; ; close++) {
            close = text.indexOf(mark, close);

            if (close < 0) {
                this.#open.add(mark);
                return undefined;
            }

            // ***both***: the outer ones close last
            while (
                mark.length === 2 &&
                text[close + 2] === mark[0] &&
                mark !== "~~"
            ) {
                close++;
            }

            if (mark.length === 1 && text[close + 1] === mark) {
                // a strong part inside of it
                close = text.indexOf(mark + mark, close + 2) + 1;

                if (close === 0) {
                    return undefined;
                }

                continue;
            }

            if (
                close > from &&
                text[close - 1] !== "\\" &&
                !/\s/.test(text[close - 1] ?? " ") &&
                !(mark[0] === "_" && inWord(close + mark.length))
            ) {
                this.#put({
                    kind,
                    children: this.#inner(text.slice(from, close)),
                });
                return close + mark.length;
            }
        }
    }

    #link(at: number, picture: boolean): number | undefined {
        const text = this.#text;
        const middle = closing(text, at, "[", "]");

        if (middle === undefined || text[middle + 1] !== "(") {
            return undefined;
        }

        const end = closing(text, middle + 1, "(", ")");

        if (end === undefined) {
            return undefined;
        }

        const [address = ""] = text
            .slice(middle + 2, end)
            .trim()
            .split(/\s/, 1);
        const href = safeAddress(address.replace(/^<|>$/g, ""));

        if (href === undefined) {
            return undefined;
        }

        const inside = text.slice(at + 1, middle);

        this.#put({
            kind: "link",
            href,
            children: picture
                ? [`Image: ${inside || href}`]
                : // no link within a link
                  this.#inner(inside).map((one) =>
                      typeof one === "object" && one.kind === "link"
                          ? plainOf(one.children)
                          : one,
                  ),
        });

        return end + 1;
    }

    #address(at: number, end: string): number | undefined {
        const close = this.#text.indexOf(end, at);
        const href =
            close < 0 || close - at > LINK
                ? undefined
                : safeAddress(this.#text.slice(at, close));

        if (href === undefined || /\s/.test(this.#text.slice(at, close))) {
            return undefined;
        }

        this.#put({
            kind: "link",
            href,
            children: [this.#text.slice(at, close)],
        });

        return close + 1;
    }

    #bare(at: number): number | undefined {
        if (WORD.test(this.#text[at - 1] ?? "")) {
            return undefined;
        }

        const [found] =
            /^https?:\/\/[^\s<>"'`\\\]*]+/i.exec(
                this.#text.slice(at, at + LINK),
            ) ?? [];
        let address = found ?? "";

        // what ends a sentence is no part of it, nor is a bracket around it
        while (
            /[.,:;!?_~]$/.test(address) ||
            (address.endsWith(")") && !address.includes("("))
        ) {
            address = address.slice(0, -1);
        }

        const href = safeAddress(address);

        if (href === undefined) {
            return undefined;
        }

        this.#put({ kind: "link", href, children: [address] });

        return at + address.length;
    }
}

/** Where what opens at a place is closed, not too far away. */
function closing(
    text: string,
    at: number,
    open: string,
    close: string,
): number | undefined {
    const end = Math.min(text.length, at + LINK);
    let depth = 0;

    for (let i = at; i < end; i++) {
        if (text[i] === "\\") {
            i++;
        } else if (text[i] === open) {
            depth++;
        } else if (text[i] === close && --depth === 0) {
            return i;
        }
    }

    return undefined;
}

function plainOf(nodes: readonly Inline[]): string {
    return nodes
        .map((node) =>
            typeof node === "string"
                ? node
                : node.kind === "code"
                  ? node.text
                  : node.kind === "break"
                    ? "\n"
                    : plainOf(node.children),
        )
        .join("");
}
