// The documentation of the API, as introspection has it: roots and types, one
// of them at a time, and a search.

import { useSignal } from "@preact/signals";
import {
    type GraphQLArgument,
    type GraphQLField,
    type GraphQLInputField,
    type GraphQLNamedType,
    type GraphQLSchema,
    type GraphQLType,
    getNamedType,
    isEnumType,
    isInputObjectType,
    isInterfaceType,
    isObjectType,
    isScalarType,
    isUnionType,
} from "graphql";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, Icon } from "../ui/index.ts";
import { rootKind } from "./operation.ts";

type AnyField = GraphQLField<unknown, unknown>;

export type Place =
    | { kind: "type"; type: GraphQLNamedType }
    | { kind: "field"; parent: GraphQLNamedType; field: AnyField };

export interface DocsProps {
    schema: GraphQLSchema;
    /** where the reader came from, the last one is shown */
    trail: readonly Place[];
    onTrail: (trail: Place[]) => void;
    onUse: (parent: GraphQLNamedType, field: AnyField) => void;
}

type Go = (place: Place) => void;

/** The place that an editor's word names. */
export function placeOf(
    schema: GraphQLSchema,
    field?: string,
    type?: string,
    parent?: string,
): Place | null {
    const bare = (name?: string) =>
        schema.getType((name ?? "").replace(/[[\]!]/g, ""));
    const owner = bare(parent);

    if (field && (isObjectType(owner) || isInterfaceType(owner))) {
        const found = owner.getFields()[field];

        if (found) {
            return { kind: "field", parent: owner, field: found };
        }
    }

    const named = bare(type);

    return named ? { kind: "type", type: named } : null;
}

export function Docs({ schema, trail, onTrail, onUse }: DocsProps) {
    const here = trail.at(-1);
    const body = useRef<HTMLDivElement>(null);
    const go: Go = (place) => onTrail([...trail, place]);
    const moved = useRef(false);

    // who reads on by keyboard begins at the new heading
    useEffect(() => {
        if (moved.current) {
            body.current?.querySelector<HTMLElement>("h3[tabindex]")?.focus();
        }

        moved.current = true;
    }, [here]);

    const before = trail.at(-2);

    return (
        <div class="docs" ref={body}>
            {here === undefined ? (
                <Home schema={schema} go={go} />
            ) : (
                <>
                    <Button
                        kind="quiet"
                        small
                        icon="left"
                        onClick={() => onTrail(trail.slice(0, -1))}
                    >
                        {before === undefined
                            ? "All of the API"
                            : before.kind === "field"
                              ? before.field.name
                              : before.type.name}
                    </Button>
                    {here.kind === "field" ? (
                        <FieldPage
                            schema={schema}
                            place={here}
                            go={go}
                            onUse={onUse}
                        />
                    ) : (
                        <TypePage schema={schema} type={here.type} go={go} />
                    )}
                </>
            )}
        </div>
    );
}

/** Paragraphs, and `code` in them. */
function Prose({ text }: { text: string | null | undefined }) {
    const paragraphs = (text ?? "")
        .trim()
        .split(/\n\s*\n/)
        .filter(Boolean);

    return (
        <>
            {paragraphs.map((paragraph) => (
                <p key={paragraph} class="docs-prose">
                    {paragraph
                        .split(/(`[^`]+`)/)
                        .map((piece) =>
                            /^`[^`]+`$/.test(piece) ? (
                                <code key={piece}>{piece.slice(1, -1)}</code>
                            ) : (
                                piece
                            ),
                        )}
                </p>
            ))}
        </>
    );
}

/** [Prompt!]! with a link in it. */
function TypeReference({ type, go }: { type: GraphQLType; go: Go }) {
    const text = String(type);
    const named = getNamedType(type);
    const at = text.indexOf(named.name);

    return (
        <span class="docs-reference">
            {text.slice(0, at)}
            <TypeLink type={named} go={go} />
            {text.slice(at + named.name.length)}
        </span>
    );
}

function TypeLink({ type, go }: { type: GraphQLNamedType; go: Go }) {
    return (
        <button
            type="button"
            class="docs-link type"
            onClick={() => go({ kind: "type", type })}
        >
            {type.name}
        </button>
    );
}

function Part({
    title,
    children,
}: {
    title: string;
    children: ComponentChildren;
}) {
    return (
        <section class="docs-part">
            <h3>{title}</h3>
            {children}
        </section>
    );
}

function Deprecated({ reason }: { reason: string | null | undefined }) {
    return reason == null ? null : <p class="docs-old">Deprecated. {reason}</p>;
}

function FieldRow({
    parent,
    field,
    go,
    qualified,
}: {
    parent: GraphQLNamedType;
    field: AnyField;
    go: Go;
    qualified?: boolean;
}) {
    return (
        <div class="docs-entry">
            <code>
                {qualified && `${parent.name}.`}
                <button
                    type="button"
                    class="docs-link"
                    onClick={() => go({ kind: "field", parent, field })}
                >
                    {field.name}
                </button>
                {field.args.length > 0 && (
                    <span class="muted">
                        ({field.args.map((arg) => arg.name).join(", ")})
                    </span>
                )}
                {": "}
                <TypeReference type={field.type} go={go} />
            </code>
            <Prose text={field.description} />
            <Deprecated reason={field.deprecationReason} />
        </div>
    );
}

function ArgumentRow({
    arg,
    go,
}: {
    arg: GraphQLArgument | GraphQLInputField;
    go: Go;
}) {
    return (
        <div class="docs-entry">
            <code>
                {arg.name}: <TypeReference type={arg.type} go={go} />
                {arg.defaultValue !== undefined && (
                    <span class="muted">
                        {" "}
                        = {JSON.stringify(arg.defaultValue)}
                    </span>
                )}
            </code>
            <Prose text={arg.description} />
        </div>
    );
}

const ROOTS = {
    query: "Queries",
    mutation: "Mutations",
    subscription: "Subscriptions",
};

const KINDS: [string, (type: unknown) => boolean][] = [
    ["Objects", isObjectType],
    ["Interfaces", isInterfaceType],
    ["Unions", isUnionType],
    ["Inputs", isInputObjectType],
    ["Enumerations", isEnumType],
    ["Scalars", isScalarType],
];

function typesOf(schema: GraphQLSchema): GraphQLNamedType[] {
    return Object.values(schema.getTypeMap()).filter(
        (type) => !type.name.startsWith("__"),
    );
}

function Home({ schema, go }: { schema: GraphQLSchema; go: Go }) {
    const search = useSignal("");
    const words = search.value.trim().toLowerCase();

    return (
        <>
            <div class="search">
                <Icon name="search" />
                <input
                    type="search"
                    aria-label="Search the documentation"
                    placeholder="Search types and fields"
                    spellcheck={false}
                    value={search.value}
                    onInput={(event) => {
                        search.value = event.currentTarget.value;
                    }}
                />
            </div>
            <div aria-live="polite">
                {words === "" ? (
                    <Everything schema={schema} go={go} />
                ) : (
                    <Found schema={schema} go={go} words={words} />
                )}
            </div>
        </>
    );
}

function Everything({ schema, go }: { schema: GraphQLSchema; go: Go }) {
    const roots = [
        schema.getQueryType(),
        schema.getMutationType(),
        schema.getSubscriptionType(),
    ].filter((type) => type != null);

    return (
        <>
            {roots.map((root) => (
                <Part
                    key={root.name}
                    title={ROOTS[rootKind(schema, root) ?? "query"]}
                >
                    {Object.values(root.getFields()).map((field) => (
                        <FieldRow
                            key={field.name}
                            parent={root}
                            field={field}
                            go={go}
                        />
                    ))}
                </Part>
            ))}
            {KINDS.map(([title, isKind]) => {
                const types = typesOf(schema).filter(
                    (type) => isKind(type) && !roots.includes(type as never),
                );

                return (
                    types.length > 0 && (
                        <Part key={title} title={title}>
                            <TypeCloud types={types} go={go} />
                        </Part>
                    )
                );
            })}
            <Keyboard />
        </>
    );
}

function TypeCloud({
    types,
    go,
}: {
    types: readonly GraphQLNamedType[];
    go: Go;
}) {
    return (
        <p class="docs-cloud">
            {types.map((type) => (
                <TypeLink key={type.name} type={type} go={go} />
            ))}
        </p>
    );
}

function fieldsOf(type: GraphQLNamedType): AnyField[] {
    return isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields())
        : [];
}

/** What a search finds within a type besides fields. */
function membersOf(type: GraphQLNamedType): string[] {
    return isEnumType(type)
        ? type.getValues().map((value) => value.name)
        : isInputObjectType(type)
          ? Object.keys(type.getFields())
          : [];
}

const MOST_FOUND = 100;

function Found({
    schema,
    go,
    words,
}: {
    schema: GraphQLSchema;
    go: Go;
    words: string;
}) {
    const has = (name: string) => name.toLowerCase().includes(words);
    const types = typesOf(schema).filter(
        (type) => has(type.name) || membersOf(type).some(has),
    );
    const fields = typesOf(schema).flatMap((parent) =>
        fieldsOf(parent)
            .filter((field) => has(field.name))
            .map((field) => ({ parent, field })),
    );

    if (types.length === 0 && fields.length === 0) {
        return <p class="muted">Nothing has that name.</p>;
    }

    return (
        <>
            {types.length > 0 && (
                <Part title="Types">
                    <TypeCloud types={types} go={go} />
                </Part>
            )}
            {fields.length > 0 && (
                <Part title="Fields">
                    {fields.slice(0, MOST_FOUND).map(({ parent, field }) => (
                        <FieldRow
                            key={`${parent.name}.${field.name}`}
                            parent={parent}
                            field={field}
                            go={go}
                            qualified
                        />
                    ))}
                </Part>
            )}
        </>
    );
}

function FieldPage({
    schema,
    place: { parent, field },
    go,
    onUse,
}: {
    schema: GraphQLSchema;
    place: Place & { kind: "field" };
    go: Go;
    onUse: DocsProps["onUse"];
}) {
    const root = rootKind(schema, parent);

    return (
        <>
            <h3 tabIndex={-1}>
                {root === null && <span class="muted">{parent.name}.</span>}
                {field.name}
            </h3>
            <p>
                <code>
                    <TypeReference type={field.type} go={go} />
                </code>
            </p>
            <Prose text={field.description} />
            <Deprecated reason={field.deprecationReason} />
            {root !== null && (
                <div>
                    <Button
                        kind="primary"
                        small
                        onClick={() => onUse(parent, field)}
                    >
                        Use in the editor
                    </Button>
                </div>
            )}
            {field.args.length > 0 && (
                <Part title="Arguments">
                    {field.args.map((arg) => (
                        <ArgumentRow key={arg.name} arg={arg} go={go} />
                    ))}
                </Part>
            )}
            <Members type={getNamedType(field.type)} go={go} schema={schema} />
        </>
    );
}

function kindName(type: GraphQLNamedType): string {
    return (
        KINDS.find(([, isKind]) => isKind(type))?.[0]
            .toLowerCase()
            .replace(/s$/, "") ?? ""
    );
}

function TypePage({
    schema,
    type,
    go,
}: {
    schema: GraphQLSchema;
    type: GraphQLNamedType;
    go: Go;
}) {
    return (
        <>
            <h3 tabIndex={-1}>{type.name}</h3>
            <p class="muted">{kindName(type)}</p>
            <Prose text={type.description} />
            <Members type={type} go={go} schema={schema} />
        </>
    );
}

function Members({
    schema,
    type,
    go,
}: {
    schema: GraphQLSchema;
    type: GraphQLNamedType;
    go: Go;
}) {
    const fields = fieldsOf(type);

    return (
        <>
            {fields.length > 0 && (
                <Part title={`Fields of ${type.name}`}>
                    {fields.map((field) => (
                        <FieldRow
                            key={field.name}
                            parent={type}
                            field={field}
                            go={go}
                        />
                    ))}
                </Part>
            )}
            {isInputObjectType(type) && (
                <Part title={`Fields of ${type.name}`}>
                    {Object.values(type.getFields()).map((field) => (
                        <ArgumentRow key={field.name} arg={field} go={go} />
                    ))}
                </Part>
            )}
            {isEnumType(type) && (
                <Part title={`Values of ${type.name}`}>
                    {type.getValues().map((value) => (
                        <div key={value.name} class="docs-entry">
                            <code>{value.name}</code>
                            <Prose text={value.description} />
                            <Deprecated reason={value.deprecationReason} />
                        </div>
                    ))}
                </Part>
            )}
            {(isInterfaceType(type) || isUnionType(type)) && (
                <Part title="Possible types">
                    <TypeCloud types={schema.getPossibleTypes(type)} go={go} />
                </Part>
            )}
        </>
    );
}

const KEYS: [string[], string][] = [
    [["Ctrl", "Enter"], "run the operation under the caret"],
    [["Ctrl", "Space"], "complete"],
    [["F1"], "explain the word under the caret"],
    [["Shift", "Alt", "F"], "prettify"],
    [["Ctrl", "/"], "comment out"],
    [["Ctrl", "F"], "search"],
    [["Tab"], "leave the editor"],
];

export function Keyboard() {
    return (
        <Part title="Keyboard">
            <dl class="docs-keys">
                {KEYS.map(([names, what]) => (
                    <div key={what}>
                        <dt>
                            {names.map((name) => (
                                <kbd key={name}>{name}</kbd>
                            ))}
                        </dt>
                        <dd>{what}</dd>
                    </div>
                ))}
            </dl>
        </Part>
    );
}
