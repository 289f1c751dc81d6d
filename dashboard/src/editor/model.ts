// What is being edited: the texts of a version to come, what is wrong with
// them, and that they outlive the page.

import { batch, computed, effect, signal } from "@preact/signals";
import { isOurs } from "../data/kept.ts";
import type { VersionData } from "../data/prompt.ts";
import { RawJson } from "../data/raw.ts";
import { signedOut } from "../data/session.ts";
import { offersOf, unlisted } from "../logic/derive.ts";
import { type Draft, dropDraft, keepDraft, readDraft } from "../logic/draft.ts";
import {
    type ApiMessage,
    contentFaults,
    fromApi,
    historyFault,
    isHistory,
    listFault,
    type Message,
    toApi,
    toInput,
} from "../logic/messages.ts";
import { fieldFault, paramsFaults, paramsValue } from "../logic/params.ts";
import type { Fault } from "../logic/position.ts";
import { type PlaceName, type Refusal, textOf } from "../logic/refusal.ts";
import { schemaFaults } from "../logic/schema.ts";
import { type Sections, sameSections, sectionsOf } from "../logic/sections.ts";
import { readTemplate } from "../logic/template.ts";

const EMPTY: Sections = sectionsOf({
    content: "",
    messages: [],
    params: "",
    inputSchema: "",
    outputSchema: "",
});

/** how long typing rests before it is kept */
const REST = 300;

/** The sections of a version; of none, where there is none yet. */
export function versionSections(version: VersionData | undefined): Sections {
    return version === undefined
        ? EMPTY
        : sectionsOf({
              content: version.content,
              messages: version.messages,
              params: version.params.text === "{}" ? "" : version.params.text,
              inputSchema: version.inputSchema?.text ?? "",
              outputSchema: version.outputSchema?.text ?? "",
          });
}

export type Model = ReturnType<typeof createModel>;

export function createModel(
    promptId: string,
    latest: VersionData | undefined,
    mine: boolean,
) {
    const base = signal<VersionData | undefined>(undefined);
    const content = signal("");
    const messages = signal<readonly Message[]>([]);
    const params = signal("");
    const inputSchema = signal("");
    const outputSchema = signal("");
    /** typed into fields of params, but no value for them: see fieldFault() */
    const pending = signal<Readonly<Record<string, string>>>({});
    const refusals = signal<readonly Refusal[]>([]);
    /** when the draft was typed that was brought back */
    const restored = signal<number | undefined>(undefined);
    /** the version that a draft began with, where that is not the latest */
    const behind = signal<number | undefined>(undefined);
    /** false: this browser keeps no drafts */
    const kept = signal(true);

    const sections = computed(() =>
        sectionsOf({
            content: content.value,
            messages: toApi(messages.value),
            params: params.value,
            inputSchema: inputSchema.value,
            outputSchema: outputSchema.value,
        }),
    );
    const baseSections = computed(() => versionSections(base.value));
    const dirty = computed(
        () =>
            Object.keys(pending.value).length > 0 ||
            !same(sections.value, baseSections.value),
    );
    const offers = computed(() => offersOf(inputSchema.value));

    function refused(place: PlaceName, text: string): Fault[] {
        return refusals.value
            .filter((one) => one.place === place && one.text === text)
            .map((one) => one.fault);
    }

    /** a placeholder that the schema does not list is a warning */
    function templateFaults(text: string, field: string): Fault[] {
        const { placeholders } = readTemplate(text);
        const missing =
            inputSchema.value.trim() === ""
                ? new Set<string>()
                : unlisted(inputSchema.value, [
                      ...new Set(placeholders.map((one) => one.path)),
                  ]);

        return [
            ...contentFaults(text, field),
            ...placeholders
                .filter((one) => missing.has(one.path))
                .map((one) => ({
                    from: one.from,
                    to: one.to,
                    severity: "warning" as const,
                    message: `The input schema does not list "${one.path}".`,
                })),
        ];
    }

    const contentWrong = computed(() => [
        ...templateFaults(content.value, "content"),
        ...refused("content", content.value),
    ]);
    const messagesWrong = computed(
        () =>
            new Map(
                messages.value.map((message, i) => [
                    message.key,
                    messageFaults(message, i),
                ]),
            ),
    );
    const listWrong = computed(
        () =>
            listFault(messages.value) ??
            refused("messages", JSON.stringify(messages.value))[0]?.message ??
            null,
    );
    const paramsWrong = computed(() => [
        ...paramsFaults(params.value),
        ...refused("params", params.value),
    ]);
    const schemaWrong = computed(() => [
        ...schemaFaults(inputSchema.value),
        ...refused("inputSchema", inputSchema.value),
    ]);

    const outputWrong = computed(() => [
        ...schemaFaults(outputSchema.value, "outputSchema"),
        ...refused("outputSchema", outputSchema.value),
    ]);

    function messageFaults(message: Message, index: number): Fault[] {
        const field = `messages.${index}`;
        const mine = refused(`message:${message.key}`, textOf(message));

        if (!isHistory(message)) {
            const images =
                message.role === "USER" ? (message.beside?.images ?? []) : [];

            return [
                ...templateFaults(message.content, `${field}.content`),
                ...images.flatMap((image, i) =>
                    templateFaults(image, `${field}.images.${i}`),
                ),
                ...mine,
            ];
        }

        const wrong = historyFault(message.placeholder);

        return wrong === null
            ? mine
            : [
                  {
                      from: 0,
                      to: 0,
                      field: `${field}.placeholder`,
                      message: wrong,
                  },
              ];
    }

    /** how much stands in the way of saving */
    const errors = computed(() => {
        const faults = [
            ...contentWrong.value,
            ...[...messagesWrong.value.values()].flat(),
            ...paramsWrong.value,
            ...schemaWrong.value,
            ...outputWrong.value,
        ].filter((fault) => fault.severity !== "warning");
        const fields = Object.entries(pending.value).filter(
            ([field, typed]) => fieldFault(field, typed) !== null,
        );

        return faults.length + fields.length + (listWrong.value ? 1 : 0);
    });

    /** Begins with a version; what was typed is gone. */
    function load(version: VersionData | undefined): void {
        batch(() => {
            base.value = version;
            content.value = version?.content ?? "";
            messages.value = fromApi((version?.messages ?? []) as ApiMessage[]);
            params.value = baseSections.value.params;
            inputSchema.value = baseSections.value.inputSchema;
            outputSchema.value = baseSections.value.outputSchema;
            pending.value = {};
            refusals.value = [];
            restored.value = undefined;
            behind.value = undefined;
        });
    }

    function restore(draft: Draft): void {
        batch(() => {
            content.value = draft.content;
            messages.value = fromApi(draft.messages);
            params.value = draft.params;
            inputSchema.value = draft.inputSchema;
            outputSchema.value =
                draft.outputSchema ?? baseSections.value.outputSchema;
            pending.value = draft.pending;
            restored.value = draft.at;
            behind.value =
                draft.base < (base.value?.version ?? 0)
                    ? draft.base
                    : undefined;
        });
    }

    /** What is typed counts as a change of that version from now on. */
    function rebase(version: VersionData | undefined): void {
        batch(() => {
            base.value = version;
            behind.value = undefined;
        });
    }

    function draft(): Draft {
        return {
            base: behind.peek() ?? base.peek()?.version ?? 0,
            at: Date.now(),
            content: content.peek(),
            messages: toApi(messages.peek()),
            params: params.peek(),
            inputSchema: inputSchema.peek(),
            outputSchema: outputSchema.peek(),
            pending: pending.peek(),
        };
    }

    function keep(): void {
        if (signedOut.peek() || !isOurs()) {
            return;
        }

        if (dirty.peek()) {
            kept.value = keepDraft(localStorage, promptId, draft());
        } else {
            dropDraft(localStorage, promptId);
        }
    }

    /** Keeps what is typed; returns what ends that, which keeps it once more. */
    function keepTyping(): () => void {
        let timer = 0;
        const stop = effect(() => {
            // whatever of it changes
            void [sections.value, pending.value, base.value];
            clearTimeout(timer);
            timer = window.setTimeout(keep, REST);
        });

        addEventListener("pagehide", keep);

        return () => {
            removeEventListener("pagehide", keep);
            stop();
            clearTimeout(timer);
            keep();
        };
    }

    load(latest);

    const found = mine ? readDraft(localStorage, promptId) : null;

    if (found !== null) {
        restore(found);

        if (!dirty.peek()) {
            load(latest);
        }
    }

    return {
        base,
        content,
        messages,
        params,
        inputSchema,
        outputSchema,
        pending,
        refusals,
        restored,
        kept,
        behind,
        sections,
        baseSections,
        dirty,
        offers,
        contentWrong,
        messagesWrong,
        listWrong,
        paramsWrong,
        schemaWrong,
        outputWrong,
        errors,
        load,
        rebase,
        keep,
        keepTyping,
    };
}

/** {} and no text at all are the same params */
function same(a: Sections, b: Sections): boolean {
    return sameSections(
        { ...a, params: a.params === "{}" ? "" : a.params },
        { ...b, params: b.params === "{}" ? "" : b.params },
    );
}

const schemaOf = (text: string) =>
    text.trim() === "" ? null : new RawJson(paramsValue(text));

/** What would be saved: a DraftInput. */
export function draftOf(model: Model) {
    return {
        content: model.content.peek(),
        messages: toInput(toApi(model.messages.peek())),
        params: new RawJson(paramsValue(model.params.peek())),
        inputSchema: schemaOf(model.inputSchema.peek()),
        outputSchema: schemaOf(model.outputSchema.peek()),
    };
}

/** Another version that is as this one. */
export function draftOfVersion(version: VersionData) {
    const { content, messages, params, inputSchema, outputSchema } = version;

    return {
        content,
        messages: toInput(messages),
        params,
        inputSchema,
        outputSchema,
    };
}
