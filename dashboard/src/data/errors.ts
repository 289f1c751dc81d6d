// What can go wrong, as one class: an error of the API, of HTTP or of the way
// there.

export interface Violation {
    field: string;
    keyword: string;
    message: string;
}

interface GraphQLErrorBody {
    message?: unknown;
    path?: unknown;
    extensions?: {
        code?: unknown;
        field?: unknown;
        violations?: unknown;
        executionId?: unknown;
        signIn?: unknown;
        reason?: unknown;
        retryable?: unknown;
        retryAfter?: unknown;
    };
}

export class ApiError extends Error {
    /** one of the API's codes, or OFFLINE, or HTTP_<status> */
    readonly code: string;
    /** the argument or property that is wrong, dotted */
    readonly field: string | undefined;
    readonly path: readonly (string | number)[];
    readonly violations: readonly Violation[];
    readonly status: number;
    /** `extensions` as they came */
    readonly extensions: Readonly<Record<string, unknown>>;
    /** seconds, of Retry-After */
    retryAfter: number | undefined;
    /** all errors of the answer; this one is the first */
    all: readonly ApiError[] = [this];
    /** what came beside the errors; root fields that failed are null */
    data: unknown = null;

    constructor(body: GraphQLErrorBody, status: number) {
        const extensions = body.extensions ?? {};

        super(
            typeof body.message === "string" && body.message !== ""
                ? body.message
                : `The server answered ${status}.`,
        );
        this.name = "ApiError";
        this.code =
            typeof extensions.code === "string"
                ? extensions.code
                : `HTTP_${status}`;
        this.field =
            typeof extensions.field === "string" ? extensions.field : undefined;
        this.path = Array.isArray(body.path) ? body.path : [];
        this.violations = Array.isArray(extensions.violations)
            ? extensions.violations
            : [];
        this.status = status;
        this.extensions = { ...extensions };
        this.retryAfter =
            typeof extensions.retryAfter === "number"
                ? extensions.retryAfter
                : undefined;
    }

    static offline(): ApiError {
        return new ApiError(
            {
                message: "The server could not be reached.",
                extensions: { code: "OFFLINE" },
            },
            0,
        );
    }

    /** of the parsed body of an answer; undefined: it has no errors */
    static of(body: unknown, status: number): ApiError | undefined {
        const list = (body as { errors?: unknown } | null)?.errors;

        if (!Array.isArray(list) || list.length === 0) {
            return undefined;
        }

        const all = list.map(
            (e: GraphQLErrorBody | null) => new ApiError(e ?? {}, status),
        );
        const first = all[0] as ApiError;

        first.all = all;
        first.data = (body as { data?: unknown }).data ?? null;

        return first;
    }
}

/** What the user can do about it, in one sentence. */
export function advice(error: ApiError): string {
    if (error.extensions.reason === "PROVIDER") {
        return error.extensions.retryable
            ? "The provider may answer the same call later: try again."
            : "The same call would fail again: change the prompt, its parameters or its model, or tell whoever runs this server.";
    }

    if (error.extensions.reason === "BUDGET_EXCEEDED") {
        return "Wait for the next period, or ask an admin of the project for more.";
    }

    switch (error.code) {
        case "BAD_USER_INPUT":
            return error.field === undefined
                ? "Correct that and try again."
                : "Correct what is marked and try again.";
        case "UNAUTHENTICATED":
            return "Sign in again; what you typed is kept.";
        case "FORBIDDEN":
            return "It belongs to somebody else, or needs another role: ask an admin of the project.";
        case "NOT_FOUND":
            return "It may have been deleted meanwhile. Go back to the list.";
        case "OFFLINE":
            return "Check the connection and try again; nothing you typed is lost.";
        case "HTTP_413":
            return "It is larger than this server takes: make it shorter.";
        case "HTTP_429":
            return "Wait a moment and try again.";
        default:
            return "Try again in a moment. If that does not help, tell whoever runs this server.";
    }
}

/** Any thrown thing as an ApiError. */
export function toApiError(thrown: unknown): ApiError {
    if (thrown instanceof ApiError) {
        return thrown;
    }

    return new ApiError(
        {
            message: thrown instanceof Error ? thrown.message : String(thrown),
            extensions: { code: "UNEXPECTED" },
        },
        0,
    );
}

export function isAbort(thrown: unknown): boolean {
    return thrown instanceof DOMException && thrown.name === "AbortError";
}
