// A dialog that is filled in and sent.

import type { ComponentChildren, RefObject } from "preact";
import type { Action } from "./action.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import type { IconName } from "./icons.tsx";
import { ErrorNote } from "./say.tsx";

export function FormDialog({
    title,
    action,
    icon,
    size,
    form,
    onSubmit,
    onClose,
    children,
}: Pick<DialogProps, "title" | "size" | "onClose"> & {
    /** the text of the button that sends it */
    action: string;
    icon?: IconName;
    /** of useForm */
    form: Pick<Action, "busy" | "error"> & {
        place: RefObject<HTMLDivElement | null>;
    };
    onSubmit: () => Promise<void>;
    children: ComponentChildren;
}) {
    return (
        <Dialog
            title={title}
            size={size}
            onClose={onClose}
            onSubmit={() => void onSubmit()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button
                        kind="primary"
                        type="submit"
                        icon={icon}
                        busy={form.busy}
                    >
                        {action}
                    </Button>
                </>
            }
        >
            {form.error && <ErrorNote error={form.error} />}
            <div class="stack" ref={form.place}>
                {children}
            </div>
        </Dialog>
    );
}
