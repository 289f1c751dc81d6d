// The models that the service serves, as it is configured: asked once.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { query } from "./client.ts";
import { money } from "./format.ts";
import { graphql, type ResultOf } from "./graphql.ts";

const Models = graphql(`
    query Models {
        models {
            name
            inputUsd
            outputUsd
        }
    }
`);

export type ModelData = ResultOf<typeof Models>["models"][number];

const models = signal<readonly ModelData[] | undefined>(undefined);
let asked = false;

/** undefined: not there yet, or not to be had; then nothing is said of them. */
export function useModels(): ReadonlySignal<readonly ModelData[] | undefined> {
    useEffect(() => {
        if (asked) {
            return;
        }

        asked = true;
        query(Models, {}).then(
            (answer) => {
                models.value = answer.models;
            },
            () => {
                asked = false;
            },
        );
    }, []);

    return models;
}

export function priceOf({ inputUsd, outputUsd }: ModelData): string {
    return inputUsd === null && outputUsd === null
        ? "no price"
        : `${part(inputUsd)} in, ${part(outputUsd)} out`;
}

function part(usd: string | null): string {
    return usd === null ? "no price" : money(usd);
}

/** Whether one of them is of that name, or a prefix (with *) of it. */
export function isServed(
    all: readonly Pick<ModelData, "name">[],
    name: string,
): boolean {
    return all.some((one) =>
        one.name.endsWith("*")
            ? name.startsWith(one.name.slice(0, -1))
            : one.name === name,
    );
}
