// The title of the window, which says where one is.

import { useEffect } from "preact/hooks";

export function useTitle(title: string): void {
    useEffect(() => {
        document.title = title === "Prompts" ? title : `${title} · Prompts`;
    }, [title]);
}
