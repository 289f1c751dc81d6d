// The dialog "Set label": where a label is to stand, what that changes, and how
// it is split over several versions.

import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { isProtected } from "../data/project.ts";
import type { VersionData } from "../data/prompt.ts";
import { namesOf, type Taking, wouldFail } from "../logic/fails.ts";
import { labelFault } from "../logic/label.ts";
import type { ApiMessage } from "../logic/messages.ts";
import runCss from "../panels/run.sheet.css";
import {
    adoptSheet,
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    Icon,
    SelectField,
    Skeleton,
    TextField,
} from "../ui/index.ts";
import { percent, sharesOf, sortLabels } from "../ui/label-chip.tsx";
import { part } from "../ui/part.tsx";
import { DiffView } from "./diff-view.tsx";
import {
    changeOf,
    type LabelData,
    type LabelSet,
    SetLabel,
} from "./label-change.ts";
import { versionSections } from "./model.ts";
import {
    emptyForm,
    formOfLabel,
    readSplit,
    Split,
    type SplitForm,
} from "./split.tsx";
import { useVersions } from "./version-dialogs.tsx";

adoptSheet(runCss);

const LastRun = part(() => import("./last-run.tsx"), Nothing);

/** as many of the newest as a list offers */
const MOST = 1000;

function protectedFault(label: string): string | null {
    return isProtected(label)
        ? "This label is protected: an admin of the project sets it."
        : null;
}

export default function SetLabelDialog({
    promptId,
    version,
    label: begun = "",
    latest,
    labels,
    onClose,
    onSet,
}: {
    promptId: string;
    version: number;
    /** of one that is changed */
    label?: string;
    latest: number;
    labels: readonly LabelData[];
    onClose: () => void;
    onSet: (set: LabelSet) => void;
}) {
    const label = useSignal(begun);
    const target = useSignal(version);
    /** null: it names one version */
    const split = useSignal<SplitForm | null>(null);
    const tried = useSignal(false);
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);
    const body = useRef<HTMLDivElement>(null);
    const given = label.value.trim();
    const there = labels.find((one) => one.label === given);
    const wrong =
        tried.value || given !== ""
            ? (labelFault(given) ?? protectedFault(given))
            : null;
    const refused =
        error.value?.field === "label" ? error.value.message : undefined;
    const read = split.value && readSplit(split.value);
    const compared =
        split.value === null
            ? target.value
            : (split.value.parts.find((one) => one.version !== there?.version)
                  ?.version ?? target.value);

    async function set() {
        tried.value = true;

        if (
            labelFault(given) !== null ||
            protectedFault(given) !== null ||
            (read && !read.ok)
        ) {
            focusFirstError(body.current);
            return;
        }

        if (busy.value) {
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            const { setPromptLabel } = await mutate(SetLabel, {
                promptId,
                label: given,
                ...changeOf(
                    read?.ok
                        ? read.parts
                        : [{ version: target.value, permille: 1000 }],
                    read?.ok ? read.guard : null,
                ),
            });

            if (setPromptLabel !== null) {
                onSet(setPromptLabel);
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
            focusFirstError(body.current);
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="Set label"
            size={
                there !== undefined && there.version !== compared
                    ? "wide"
                    : "medium"
            }
            onClose={onClose}
            onSubmit={() => void set()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Set
                    </Button>
                </>
            }
        >
            <div class="stack" ref={body}>
                {error.value && refused === undefined && (
                    <ErrorNote error={error.value} />
                )}
                <div class="label-where">
                    <TextField
                        label="Label"
                        spellcheck={false}
                        value={label.value}
                        error={wrong ?? refused}
                        help={standing(given, there, target.value, split.value)}
                        onValue={(value) => {
                            label.value = value;
                            error.value = undefined;
                        }}
                    />
                    {split.value === null && (
                        <SelectField
                            label="Version"
                            choices={Array.from(
                                { length: Math.min(latest, MOST) },
                                (_, i) => ({
                                    value: String(latest - i),
                                    text: `Version ${latest - i}`,
                                }),
                            )}
                            value={String(target.value)}
                            onValue={(value) => {
                                target.value = Number(value);
                            }}
                        />
                    )}
                </div>
                <Known labels={labels} label={label} />
                {split.value === null ? (
                    <div>
                        <Button
                            small
                            onClick={() => {
                                split.value =
                                    there && there.split.length > 0
                                        ? formOfLabel(there)
                                        : emptyForm(
                                              there?.version,
                                              target.value,
                                          );
                            }}
                        >
                            Split…
                        </Button>
                    </div>
                ) : (
                    <Split
                        form={split as Signal<SplitForm | null>}
                        tried={tried.value}
                        latest={latest}
                    />
                )}
                {there !== undefined && there.version !== compared && (
                    <Changes
                        promptId={promptId}
                        older={there.version}
                        newer={compared}
                    />
                )}
            </div>
        </Dialog>
    );
}

/** What setting it does to where it stands. */
function standing(
    given: string,
    there: LabelData | undefined,
    target: number,
    split: SplitForm | null,
): string {
    if (there === undefined) {
        return "Programs ask for a version by its label: production, staging.";
    }

    if (there.split.length > 0) {
        const now = there.split
            .map((one) => `version ${one.version} ${percent(one.permille)} %`)
            .join(", ");

        return `${given} is split now: ${now}.`;
    }

    return split !== null || there.version === target
        ? `${given} stands at version ${there.version}.`
        : `${given} moves from version ${there.version} to version ${target}, at once and for all who ask for it.`;
}

function Known({
    labels,
    label,
}: {
    labels: readonly LabelData[];
    label: Signal<string>;
}) {
    const known = sortLabels(labels).filter((one) => !isProtected(one.label));

    return known.length === 0 ? null : (
        // biome-ignore lint/a11y/useSemanticElements: of no form's fields
        <div class="badges wrap" role="group" aria-label="Known names">
            {known.map((one) => (
                <Button
                    key={one.label}
                    small
                    title={sharesOf(one) || undefined}
                    onClick={() => {
                        label.value = one.label;
                    }}
                >
                    {one.label}
                </Button>
            ))}
        </div>
    );
}

function takingOf(version: VersionData): Taking {
    return {
        content: version.content,
        messages: version.messages as ApiMessage[],
        inputSchema: version.inputSchema?.text ?? null,
    };
}

function Nothing() {
    return null;
}

/** What is different for who asks by the label. */
function Changes({
    promptId,
    older,
    newer,
}: {
    promptId: string;
    older: number;
    newer: number;
}) {
    const { versions, error, load } = useVersions(promptId, [older, newer]);
    const before = versions.value?.find((one) => one.version === older);
    const after = versions.value?.find((one) => one.version === newer);

    if (before === undefined || after === undefined) {
        return error.value ? (
            <ErrorNote error={error.value} onRetry={() => void load()} />
        ) : (
            <Skeleton lines={4} />
        );
    }

    const [had, has] = [takingOf(before), takingOf(after)];
    const [names, newNames] = [namesOf(had), namesOf(has)];
    const added = newNames.filter((name) => !names.includes(name));
    const gone = names.filter((name) => !newNames.includes(name));
    const failing = wouldFail(had, has);

    return (
        <>
            {failing.length > 0 && (
                <div class="note bad" role="alert">
                    <Icon name="warning" />
                    <div class="note-text">
                        <p>
                            <strong>
                                Inputs of version {older} would fail
                            </strong>
                        </p>
                        <ul class="plain-list">
                            {failing.map(({ field, why }) => (
                                <li key={field}>
                                    <code class="code">{field}</code> {why}
                                </li>
                            ))}
                        </ul>
                    </div>
                </div>
            )}
            <section class="stack tight" aria-label="What changes">
                <h3>
                    What changes from version {older} to version {newer}
                </h3>
                {added.length > 0 && (
                    <p>New placeholders: {added.join(", ")}</p>
                )}
                {gone.length > 0 && <p>Gone placeholders: {gone.join(", ")}</p>}
                <DiffView
                    before={versionSections(before)}
                    after={versionSections(after)}
                    way="unified"
                />
            </section>
            <LastRun promptId={promptId} versions={[older, newer]} />
        </>
    );
}
