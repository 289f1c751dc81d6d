// "Review changes": what a new version changes, and saving it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import type { VariablesOf } from "../data/graphql.ts";
import { isServed, useModels } from "../data/models.ts";
import { useOnce } from "../data/once.ts";
import type { VersionData } from "../data/prompt.ts";
import { stringify } from "../data/raw.ts";
import { modelsIn } from "../logic/params.ts";
import { characters } from "../logic/position.ts";
import type { Sections } from "../logic/sections.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    Note,
    Skeleton,
    TextField,
} from "../ui/index.ts";
import type { DiffWay } from "./diff-view.tsx";
import { DiffView } from "./diff-view.tsx";
import { versionSections } from "./model.ts";
import { CreateVersion, latestVersion } from "./queries.ts";
import { WaySwitch } from "./way-switch.tsx";

interface Props {
    promptId: string;
    /** the version that it began with; 0: none */
    base: number;
    /** what it will be */
    sections: Sections;
    draft: Omit<
        VariablesOf<typeof CreateVersion>["input"],
        "promptId" | "note"
    >;
    /** as it is proposed */
    note?: string;
    onClose: () => void;
    onSaved: (version: VersionData) => void;
    /** what the service found wrong with something that was typed */
    onRefused?: (error: ApiError) => void;
}

const NOTE_LIMIT = 256;

export default function Review(props: Props) {
    const { promptId, base, sections, draft, onClose } = props;
    /** the latest version there is; null: not asked yet */
    const newest = useSignal<VersionData | undefined | null>(null);
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const way = useSignal<DiffWay>("unified");
    const note = useSignal(props.note ?? "");
    const body = useRef<HTMLDivElement>(null);
    const once = useOnce();
    const models = useModels().value;
    const unknown = models
        ? modelsIn(sections.params).filter((name) => !isServed(models, name))
        : [];
    const long =
        characters(note.value) > NOTE_LIMIT
            ? `A note has at most ${NOTE_LIMIT} characters.`
            : undefined;
    const seen = newest.value;

    async function look(): Promise<VersionData | undefined | null> {
        error.value = undefined;

        try {
            return await latestVersion(promptId);
        } catch (thrown) {
            error.value = toApiError(thrown);
            return null;
        }
    }

    useEffect(() => {
        void look().then((version) => {
            newest.value = version;
        });
    }, []);

    async function save() {
        if (busy.value || newest.value === null) {
            return;
        }

        if (long !== undefined) {
            focusFirstError(body.current);
            return;
        }

        busy.value = true;

        const now = await look();

        if (now !== null && now?.version !== newest.value?.version) {
            // one more came while this was looked at: it is shown first
            newest.value = now;
        } else if (now !== null) {
            await create();
        }

        busy.value = false;
    }

    async function create() {
        const text = note.value.trim();
        const input = {
            promptId,
            ...draft,
            ...(text !== "" && { note: text }),
        };

        try {
            const answer = await once(stringify(input), (key) =>
                mutate(CreateVersion, { input }, { key }),
            );

            if (answer.createPromptVersion !== null) {
                props.onSaved(answer.createPromptVersion);
            }
        } catch (thrown) {
            const failed = toApiError(thrown);

            if (
                props.onRefused &&
                failed.field !== undefined &&
                failed.field !== "note"
            ) {
                props.onRefused(failed);
            } else {
                error.value = failed;
            }
        }
    }

    const others = (seen?.version ?? 0) > base ? seen : undefined;

    return (
        <Dialog
            title="Review changes"
            size="wide"
            onClose={onClose}
            onSubmit={() => void save()}
            actions={
                <>
                    <Button onClick={onClose}>Go on editing</Button>
                    <Button
                        kind="primary"
                        busy={busy.value}
                        disabled={seen === null}
                        type="submit"
                    >
                        Save version
                    </Button>
                </>
            }
        >
            {error.value && (
                <ErrorNote
                    error={error.value}
                    {...(seen === null
                        ? {
                              onRetry: () =>
                                  void look().then((version) => {
                                      newest.value = version;
                                  }),
                          }
                        : {})}
                />
            )}
            {others && (
                <Note kind="warn">
                    <p>
                        <strong>
                            Version {others.version} was added meanwhile.
                        </strong>{" "}
                        You began with {base === 0 ? "none" : `version ${base}`}
                        . Below is what your text changes in version{" "}
                        {others.version}; it stays as it is, and yours becomes
                        version {others.version + 1}.
                    </p>
                </Note>
            )}
            {unknown.map((name) => (
                <Note key={name} kind="warn">
                    Unknown model: {name}
                </Note>
            ))}
            <div ref={body}>
                <TextField
                    label="Note"
                    optional
                    help="What it changes, and why: a line that is kept with the version."
                    value={note.value}
                    error={long}
                    onValue={(value) => {
                        note.value = value;
                    }}
                />
            </div>
            {seen === null ? (
                !error.value && <Skeleton lines={5} />
            ) : (
                <>
                    <div class="editor-part-head">
                        <p class="muted">
                            {seen === undefined
                                ? "The first version of this prompt."
                                : `Version ${seen.version} → version ${seen.version + 1}`}
                        </p>
                        <WaySwitch
                            way={way.value}
                            onWay={(next) => {
                                way.value = next;
                            }}
                        />
                    </div>
                    <DiffView
                        before={versionSections(seen)}
                        after={sections}
                        way={way.value}
                    />
                </>
            )}
        </Dialog>
    );
}
