// One change: what was before, what after, by whom and from where.

import type { ComponentChildren } from "preact";
import { Dialog, Table, Time } from "../ui/index.ts";
import { actionText } from "./actions.ts";
import { type AuditRow, onWhat } from "./audit-log.ts";
import { changesOf, refusalOf } from "./changes.ts";

export function AuditDialog({
    entry,
    onClose,
}: {
    entry: AuditRow;
    onClose: () => void;
}) {
    const changes = changesOf(entry.detail?.value);
    const facts: readonly (readonly [string, ComponentChildren])[] = [
        ["When", <Time key="at" iso={entry.at} full />],
        ["Who", entry.actor?.email ?? "the operator"],
        ["Refused", refusalOf(entry.detail?.value)],
        ["Address", entry.address],
        ["On what", onWhat(entry)],
        ["Its id", entry.subjectId && <code>{entry.subjectId}</code>],
        ["By the key", entry.keyId && <code>{entry.keyId}</code>],
        ["Trace", entry.traceId && <code>{entry.traceId}</code>],
    ];

    return (
        <Dialog
            title={actionText(entry.action)}
            size="medium"
            light
            onClose={onClose}
        >
            <dl class="facts">
                {facts
                    .filter(([, value]) => value)
                    .map(([name, value]) => (
                        <>
                            <dt key={`${name}-name`}>{name}</dt>
                            <dd key={name}>{value}</dd>
                        </>
                    ))}
            </dl>
            {changes.length > 0 && (
                <Table
                    label="Changes"
                    rows={changes}
                    rowKey={(change) => change.field}
                    columns={[
                        {
                            name: "Field",
                            header: true,
                            cell: (change) => change.field,
                        },
                        {
                            name: "Before",
                            cell: (change) => <Value text={change.before} />,
                        },
                        {
                            name: "After",
                            cell: (change) => <Value text={change.after} />,
                        },
                    ]}
                />
            )}
        </Dialog>
    );
}

function Value({ text }: { text: string | undefined }) {
    return text === undefined ? (
        <span class="muted">–</span>
    ) : (
        <span class="audit-value">{text}</span>
    );
}
