// What is shown this once: nothing but "Done" takes it away.

import type { ComponentChildren } from "preact";
import { Button, CopyButton } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Note } from "./say.tsx";

export function ShownOnce({
    title,
    text,
    warning,
    onClose,
    children,
}: {
    title: string;
    /** what is copied */
    text: string;
    /** whom to give it to */
    warning: ComponentChildren;
    onClose: () => void;
    children: ComponentChildren;
}) {
    return (
        <Dialog
            title={title}
            locked
            onClose={onClose}
            actions={
                <>
                    <CopyButton text={text} kind="primary" />
                    <Button onClick={onClose}>Done</Button>
                </>
            }
        >
            <Note kind="warn">
                Copy it now: it is not shown again. {warning}
            </Note>
            {children}
        </Dialog>
    );
}
