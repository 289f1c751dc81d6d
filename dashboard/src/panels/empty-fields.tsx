// Asks before an input is sent in which a text that is needed is empty.

import { Button, Dialog } from "../ui/index.ts";

export function EmptyFields({
    names,
    onClose,
    onRun,
}: {
    names: readonly string[];
    onClose: () => void;
    onRun: () => void;
}) {
    return (
        <Dialog
            title="Run with empty fields?"
            onClose={onClose}
            actions={
                <>
                    <Button onClick={onClose}>Go back</Button>
                    <Button
                        kind="primary"
                        onClick={() => {
                            onClose();
                            onRun();
                        }}
                    >
                        Run anyway
                    </Button>
                </>
            }
        >
            <p>
                {names.length === 1
                    ? "This text is required and empty:"
                    : "These texts are required and empty:"}
            </p>
            <ul class="plain-list">
                {names.map((name) => (
                    <li key={name}>
                        <code class="code">{name}</code>
                    </li>
                ))}
            </ul>
        </Dialog>
    );
}
