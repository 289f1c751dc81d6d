// Styles of a route that is loaded later:
//
//     import css from "./executions.sheet.css";
//     adoptSheet(css);
//
// A constructed style sheet is what the page's policy allows without an element.

const adopted = new Set<string>();

export function adoptSheet(css: string): void {
    if (adopted.has(css)) {
        return;
    }

    const sheet = new CSSStyleSheet();

    adopted.add(css);
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
