// Operations of a document, and one made for a field of the documentation.

import {
    type FieldNode,
    type GraphQLArgument,
    type GraphQLField,
    type GraphQLInputField,
    type GraphQLInputType,
    type GraphQLObjectType,
    type GraphQLSchema,
    getNamedType,
    isCompositeType,
    isEnumType,
    isInputObjectType,
    isListType,
    isNonNullType,
    isObjectType,
    isRequiredArgument,
    isRequiredInputField,
    Kind,
    type OperationDefinitionNode,
    parse,
} from "graphql";
import { layOut } from "./layout.ts";

export interface Operation {
    kind: "query" | "mutation" | "subscription";
    name: string | null;
    start: number;
    end: number;
    /** Its root fields' names, those of fragments left out. */
    fields: string[];
}

function fieldsOf(node: OperationDefinitionNode): string[] {
    return node.selectionSet.selections
        .filter((one): one is FieldNode => one.kind === Kind.FIELD)
        .map((one) => one.name.value);
}

/** Those of a document; none where it is ill-formed. */
export function operationsOf(text: string): Operation[] {
    try {
        return parse(text)
            .definitions.filter(
                (node) => node.kind === Kind.OPERATION_DEFINITION,
            )
            .map((node) => ({
                kind: node.operation,
                name: node.name?.value ?? null,
                start: node.loc?.start ?? 0,
                end: node.loc?.end ?? 0,
                fields: fieldsOf(node),
            }));
    } catch {
        return [];
    }
}

/** A value to begin with, as JSON has it. */
function example(type: GraphQLInputType, depth = 0): unknown {
    if (isNonNullType(type)) {
        return example(type.ofType, depth);
    }

    if (isListType(type)) {
        return [];
    }

    if (isEnumType(type)) {
        return type.getValues()[0]?.value ?? "";
    }

    if (isInputObjectType(type)) {
        const fields: GraphQLInputField[] = Object.values(type.getFields());

        return depth > 4
            ? {}
            : Object.fromEntries(
                  fields
                      .filter(isRequiredInputField)
                      .map((field) => [
                          field.name,
                          example(field.type, depth + 1),
                      ]),
              );
    }

    const scalars: Record<string, unknown> = {
        Int: 0,
        Float: 0,
        Boolean: false,
        JSON: {},
    };

    return scalars[type.name] ?? "";
}

type AnyField = GraphQLField<unknown, unknown>;

function isPlain(field: AnyField): boolean {
    return (
        field.deprecationReason == null &&
        !isCompositeType(getNamedType(field.type)) &&
        !field.args.some(isRequiredArgument)
    );
}

function plainFields(type: GraphQLObjectType): string[] {
    return Object.values(type.getFields())
        .filter(isPlain)
        .map((field) => field.name);
}

function isList(field: AnyField): boolean {
    return isListType(
        isNonNullType(field.type) ? field.type.ofType : field.type,
    );
}

/** Single objects below, such as the apiKey of a CreatedApiKey. */
function nestedFields(type: GraphQLObjectType): string[] {
    return Object.values(type.getFields()).flatMap((field) => {
        const below = getNamedType(field.type);

        if (
            !isObjectType(below) ||
            below === type ||
            isList(field) ||
            field.args.length > 0
        ) {
            return [];
        }

        const plain = plainFields(below);

        return plain.length > 0 ? [`${field.name} { ${plain.join(" ")} }`] : [];
    });
}

export interface Sample {
    text: string;
    variables: Record<string, unknown>;
}

/** The root type's name in a document: "query" of Query. */
export function rootKind(
    schema: GraphQLSchema,
    type: unknown,
): Operation["kind"] | null {
    return type === schema.getQueryType()
        ? "query"
        : type === schema.getMutationType()
          ? "mutation"
          : type === schema.getSubscriptionType()
            ? "subscription"
            : null;
}

/** An operation that asks for one root field. */
export function sampleOf(kind: Operation["kind"], field: AnyField): Sample {
    const args: GraphQLArgument[] = field.args.filter(isRequiredArgument);
    const type = getNamedType(field.type);
    const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
    const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
    const below = isObjectType(type)
        ? [...plainFields(type), ...nestedFields(type)]
        : [];
    const selected = isCompositeType(type)
        ? ` { ${below.join(" ") || "__typename"} }`
        : "";

    return {
        text: layOut(
            `${kind} ${name}${declared && `(${declared})`} {\n` +
                `${field.name}${passed && `(${passed})`}${selected} }`,
        ),
        variables: Object.fromEntries(
            args.map((arg) => [arg.name, example(arg.type)]),
        ),
    };
}
