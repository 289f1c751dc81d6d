// What may be written into the variables, by the document that declares them.

import {
    type GraphQLInputType,
    type GraphQLSchema,
    getNamedType,
    isEnumType,
    isInputObjectType,
    Kind,
    parse,
    type TypeNode,
    typeFromAST,
} from "graphql";
import { jsonPlace } from "../panels/json.ts";

export interface Suggestion {
    label: string;
    detail: string;
    info?: string;
    /** What is inserted. */
    apply: string;
}

export interface Suggestions {
    from: number;
    items: Suggestion[];
}

interface Member {
    name: string;
    type: GraphQLInputType;
    description?: string | null;
}

function inputType(
    schema: GraphQLSchema,
    node: TypeNode,
): GraphQLInputType | null {
    try {
        return (typeFromAST(schema, node as never) as GraphQLInputType) ?? null;
    } catch {
        return null;
    }
}

/** Of one operation, or of all of the document. */
export function variablesOf(
    document: string,
    schema: GraphQLSchema,
    operation?: string,
): Member[] {
    const members: Member[] = [];

    try {
        for (const node of parse(document).definitions) {
            if (
                node.kind !== Kind.OPERATION_DEFINITION ||
                (operation && node.name?.value !== operation)
            ) {
                continue;
            }

            for (const one of node.variableDefinitions ?? []) {
                const type = inputType(schema, one.type);

                if (type) {
                    members.push({ name: one.variable.name.value, type });
                }
            }
        }
    } catch {
        return [];
    }

    return members;
}

/** What may stand at offset; null: nothing is known. */
export function suggest(
    text: string,
    offset: number,
    variables: readonly Member[],
): Suggestions | null {
    const word = /"?[_0-9A-Za-z]*$/.exec(text.slice(0, offset))?.[0] ?? "";
    const from = offset - word.length;
    const { path, key, inside } = jsonPlace(text.slice(0, from));
    let members: readonly Member[] = variables;
    let type: GraphQLInputType | null = null;

    if (!inside) {
        return null;
    }

    for (const step of path) {
        if (step === 0) {
            continue;
        }

        const found = members.find((member) => member.name === step);
        const named = found && getNamedType(found.type);

        type = named ?? null;
        members = isInputObjectType(named)
            ? Object.values(named.getFields())
            : [];
    }

    if (key) {
        return {
            from,
            items: members.map((member) => ({
                label: member.name,
                detail: String(member.type),
                info: member.description ?? undefined,
                apply: `"${member.name}": `,
            })),
        };
    }

    if (isEnumType(type)) {
        const { name } = type;

        return {
            from,
            items: type.getValues().map((value) => ({
                label: value.name,
                detail: name,
                info: value.description ?? undefined,
                apply: `"${value.name}"`,
            })),
        };
    }

    return null;
}
