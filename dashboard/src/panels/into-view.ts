/** Where the beginning of an element is out of sight, it is scrolled to. */
export function intoView(element: Element | null): void {
    requestAnimationFrame(() => {
        const top = element?.getBoundingClientRect().top ?? 0;

        // some lines of it are to be seen, not its frame alone
        if (top < 0 || top > innerHeight - 160) {
            element?.scrollIntoView({ block: "start" });
        }
    });
}
