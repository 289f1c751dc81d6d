// Whether something is to go, asked once more.

import type { ComponentChildren } from "preact";
import { useAction } from "./action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./say.tsx";

export function ConfirmDialog({
    title,
    action,
    onConfirm,
    onClose,
    children,
}: {
    title: string;
    /** the text of the button that does it */
    action: string;
    onConfirm: () => Promise<void>;
    onClose: () => void;
    /** what comes of it */
    children: ComponentChildren;
}) {
    const { run, busy, error } = useAction();

    return (
        <Dialog
            title={title}
            onClose={onClose}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button
                        kind="danger"
                        busy={busy}
                        onClick={() => void run(onConfirm)}
                    >
                        {action}
                    </Button>
                </>
            }
        >
            {error && <ErrorNote error={error} />}
            {children}
        </Dialog>
    );
}
