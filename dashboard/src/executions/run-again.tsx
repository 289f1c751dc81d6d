// The dialog "Run again": the same input, by this version or another.

import { useSignal } from "@preact/signals";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { LATEST, pickChoices } from "../panels/pick.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    SelectField,
    Skeleton,
} from "../ui/index.ts";

const VersionsToRun = graphql(`
    query VersionsToRun($id: ID!) {
        prompt(id: $id) {
            labels {
                label
                version
            }
            versions(last: 1) {
                version
            }
        }
    }
`);

export function RunAgainDialog({
    promptId,
    version,
    onRun,
    onClose,
}: {
    promptId: string;
    /** its own; 0: it was a draft */
    version: number;
    /** a choice of pickChoices() */
    onRun: (pick: string) => void;
    onClose: () => void;
}) {
    const own = version > 0 ? `version ${version}` : LATEST;
    const pick = useSignal(own);
    const { data, error, reload } = useQuery(VersionsToRun, { id: promptId });
    const prompt = data.value?.prompt;
    const choices =
        prompt &&
        pickChoices(prompt.versions.at(-1)?.version ?? 0, prompt.labels);

    return (
        <Dialog
            title="Run again"
            onClose={onClose}
            onSubmit={() => {
                if (choices) {
                    onRun(pick.value);
                }
            }}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" icon="play">
                        Run
                    </Button>
                </>
            }
        >
            {error.value && (
                <ErrorNote error={error.value} onRetry={() => void reload()} />
            )}
            {choices ? (
                <SelectField
                    label="Version or label"
                    help="It runs with the input of this execution, and is paid for like any other."
                    value={pick.value}
                    onValue={(value) => {
                        pick.value = value;
                    }}
                    choices={[
                        ...(version > 0
                            ? [
                                  {
                                      value: own,
                                      text: `Version ${version} (its own)`,
                                  },
                              ]
                            : []),
                        ...choices.filter(
                            ({ value }) => value !== own || version === 0,
                        ),
                    ]}
                />
            ) : (
                !error.value && <Skeleton lines={2} />
            )}
        </Dialog>
    );
}
