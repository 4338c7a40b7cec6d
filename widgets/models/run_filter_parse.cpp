// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the filter line that reads what was typed.
#include "widgets/models/run_filter_impl.h"

#include <QCoreApplication>
#include <QDateTime>
#include <algorithm>
#include <optional>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace run_filter;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::RunQuery)
};

struct Token {
    enum class Kind { Word, Quoted, Operator, Open, Close, End } kind = Kind::End;
    QString text;
    int position = 0;
    int length = 0;
    [[nodiscard]] bool isWord() const { return kind == Kind::Word || kind == Kind::Quoted; }
    [[nodiscard]] bool is(QLatin1String word) const { return kind == Kind::Word && text == word; }
};

std::variant<std::vector<Token>, QueryError> tokenise(const QString& text) {
    std::vector<Token> tokens;
    const int size = static_cast<int>(text.size());
    int at = 0;
    const auto sign = [&](int place) { return place < size ? asciiSign(text[place]) : QChar(); };
    const auto take = [&](Token::Kind kind, int length, const QString& content) {
        tokens.push_back({kind, content, at, length});
        at += length;
    };
    while (at < size) {
        const QChar c = sign(at);
        if (c.isSpace()) {
            ++at;
        } else if (c == QLatin1Char('(')) {
            take(Token::Kind::Open, 1, c);
        } else if (c == QLatin1Char(')')) {
            take(Token::Kind::Close, 1, c);
        } else if (c == QLatin1Char('"')) {
            const auto end = static_cast<int>(endOfQuotation(text, at));
            if (end < 0)
                return QueryError{at, size - at, Words::tr("The closing quotation mark is missing.")};
            take(Token::Kind::Quoted, end + 1 - at, text.mid(at + 1, end - at - 1));
        } else if (isOperatorSign(c)) {
            const bool two = c != QLatin1Char(':') && c != QLatin1Char('=') && sign(at + 1) == QLatin1Char('=');
            if (c == QLatin1Char('!') && !two)
                return QueryError{at, 1, Words::tr("Write != for “not equal”, or NOT before a term.")};
            take(Token::Kind::Operator, two ? 2 : 1, two ? QString(c) + QLatin1Char('=') : QString(c));
        } else {
            int end = at;
            while (end < size && !text[end].isSpace() && !isOperatorSign(text[end]) &&
                   !QStringLiteral("()\"").contains(sign(end)))
                ++end;
            take(Token::Kind::Word, end - at, text.mid(at, end - at));
        }
    }
    tokens.push_back({Token::Kind::End, {}, size, 0});
    return tokens;
}

/// What a run has or has not is neither more nor less than anything.
bool takes(Subject subject, Operator how) {
    const bool orders = how != Operator::Contains && how != Operator::Equal && how != Operator::NotEqual;
    return !orders || (subject != Subject::Has && subject != Subject::Id && subject != Subject::Tag);
}

Operator operatorOf(const QString& text) {
    static const std::pair<QLatin1String, Operator> names[] = {
        {QLatin1String(":"), Operator::Contains},     {QLatin1String("="), Operator::Equal},
        {QLatin1String("!="), Operator::NotEqual},    {QLatin1String("<"), Operator::Less},
        {QLatin1String("<="), Operator::LessEqual},   {QLatin1String(">"), Operator::Greater},
        {QLatin1String(">="), Operator::GreaterEqual}};
    for (const auto& [name, value] : names)
        if (text == name)
            return value;
    return Operator::Contains;
}

using NodePointer = std::shared_ptr<const RunQuery::Node>;
using NodeKind = RunQuery::Node::Kind;

NodePointer join(NodeKind kind, std::vector<NodePointer> children) {
    if (children.size() == 1)
        return children.front();
    return std::make_shared<RunQuery::Node>(RunQuery::Node{kind, std::move(children), {}, {}});
}

/// Recursive descent. The first error ends it: every function returns null once m_error is set.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

    NodePointer parse() {
        NodePointer root = parseOr();
        if (!m_error && peek().kind == Token::Kind::Close)
            fail(peek(), Words::tr("There is no open parenthesis before this one."));
        return root;
    }
    [[nodiscard]] const std::optional<QueryError>& error() const { return m_error; }

private:
    const Token& peek() const { return m_tokens[m_at]; }
    Token next() { return m_tokens[m_at].kind == Token::Kind::End ? m_tokens[m_at] : m_tokens[m_at++]; }
    NodePointer fail(const Token& token, const QString& message) {
        if (!m_error)
            m_error = QueryError{token.position, std::max(token.length, 1), message};
        return nullptr;
    }

    NodePointer parseOr() {
        std::vector<NodePointer> children{parseAnd()};
        while (!m_error && peek().is(QLatin1String("OR"))) {
            next();
            children.push_back(parseAnd());
        }
        return m_error ? nullptr : join(NodeKind::Any, std::move(children));
    }

    NodePointer parseAnd() {
        std::vector<NodePointer> children{parseNot()};
        while (!m_error) {
            if (peek().is(QLatin1String("AND")))
                next();
            else if (peek().kind == Token::Kind::End || peek().kind == Token::Kind::Close ||
                     peek().is(QLatin1String("OR")))
                break;
            children.push_back(parseNot());
        }
        return m_error ? nullptr : join(NodeKind::All, std::move(children));
    }

    NodePointer parseNot() {
        bool negated = false;
        while (peek().is(QLatin1String("NOT"))) {
            next();
            negated = !negated;
        }
        NodePointer term = parseTerm();
        if (m_error || !negated)
            return term;
        return std::make_shared<RunQuery::Node>(RunQuery::Node{NodeKind::Not, {std::move(term)}, {}, {}});
    }

    NodePointer parseTerm() {
        const Token token = next();
        if (token.kind == Token::Kind::Open) {
            NodePointer inner = parseOr();
            if (!m_error && next().kind != Token::Kind::Close)
                return fail(token, Words::tr("This parenthesis is not closed."));
            return inner;
        }
        if (!token.isWord() || token.is(QLatin1String("OR")) || token.is(QLatin1String("AND")))
            return fail(token, token.kind == Token::Kind::End
                                   ? Words::tr("A word is missing at the end.")
                                   : Words::tr("A word is missing before “%1”.").arg(token.text));
        if (peek().kind != Token::Kind::Operator)
            return std::make_shared<RunQuery::Node>(RunQuery::Node{NodeKind::FreeText, {}, token.text.toLower(), {}});
        return parseComparison(token);
    }

    NodePointer parseComparison(const Token& name) {
        const Key* key = name.kind == Token::Kind::Word ? findKey(name.text) : nullptr;
        if (!key)
            return fail(name,
                        Words::tr("“%1” is not a filter key. Known keys: %2. Put free text with such signs in quotes.")
                            .arg(name.text, runQueryKeys().join(QStringLiteral(", "))));
        Comparison comparison;
        comparison.subject = key->subject;
        comparison.column = key->column;
        const Token sign = next();
        comparison.how = operatorOf(sign.text);
        if (!takes(comparison.subject, comparison.how))
            return fail(sign, Words::tr("After “%1”, write :, = or !=.").arg(name.text));
        Token value = next();
        if (!value.isWord())
            return fail(value, Words::tr("A value is missing after “%1”.").arg(name.text));
        takeUnits(value, measureOf(comparison.subject, comparison.column));
        comparison.text = value.text.toLower();
        if (!readValue(comparison, value))
            return nullptr;
        return std::make_shared<RunQuery::Node>(RunQuery::Node{NodeKind::Compare, {}, {}, comparison});
    }

    /// A number and its units are one value, as in the table: 10.5 MB, 1 min 12 s.
    void takeUnits(Token& value, Measure measure) {
        if (measure == Measure::Plain || value.kind != Token::Kind::Word)
            return;
        QString joined = value.text;
        for (std::size_t to = m_at; m_tokens[to].kind == Token::Kind::Word && to <= m_at + 1; ++to) {
            if (m_tokens[to + 1].kind == Token::Kind::Operator)
                return; // it is the next key
            joined += QLatin1Char(' ') + m_tokens[to].text;
            if (!numberFrom(joined, measure))
                continue;
            value.text = joined;
            value.length = m_tokens[to].position + m_tokens[to].length - value.position;
            m_at = to + 1;
        }
    }

    bool readValue(Comparison& comparison, const Token& value) {
        if (comparison.subject == Subject::Has) {
            const bool known =
                std::ranges::any_of(hasWords, [&](const char* word) { return comparison.text == QLatin1String(word); });
            if (!known)
                fail(value, Words::tr("After has:, write checkpoint, tag, note, error or accuracy."));
            return known;
        }
        if (comparison.subject == Subject::Column && comparison.column == RunColumn::Status) {
            if (comparison.text == QLatin1String("done")) // what people type
                comparison.text = QString::fromStdString(runStateName(RunState::Completed));
            return true;
        }
        if (comparison.subject == Subject::Column && comparison.column == RunColumn::Date)
            return readDate(comparison, value);
        const bool numeric = comparison.subject == Subject::Accuracy ||
                             (comparison.subject == Subject::Column && isNumeric(comparison.column));
        if (!numeric)
            return true;
        const auto number = numberFrom(value.text, measureOf(comparison.subject, comparison.column));
        if (!number) {
            fail(value, Words::tr("“%1” is not a number.").arg(value.text));
            return false;
        }
        comparison.number = *number;
        comparison.inPerCent = value.text.endsWith(QLatin1Char('%'));
        return true;
    }

    bool readDate(Comparison& comparison, const Token& value) {
        const QDate day = QDate::fromString(value.text, Qt::ISODate);
        if (!day.isValid()) {
            fail(value, Words::tr("“%1” is not a date of the form 2026-11-21.").arg(value.text));
            return false;
        }
        comparison.number = static_cast<double>(day.startOfDay().toSecsSinceEpoch());
        comparison.dayEnd = static_cast<double>(day.addDays(1).startOfDay().toSecsSinceEpoch());
        return true;
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::optional<QueryError> m_error;
};

} // namespace

std::variant<RunQuery, QueryError> RunQuery::parse(const QString& text) {
    auto tokens = tokenise(text);
    if (const auto* error = std::get_if<QueryError>(&tokens))
        return *error;
    auto& found = std::get<std::vector<Token>>(tokens);
    if (found.front().kind == Token::Kind::End)
        return RunQuery();
    Parser parser(std::move(found));
    NodePointer root = parser.parse();
    if (parser.error())
        return *parser.error();
    return RunQuery(std::move(root));
}

} // namespace accumulus::ui
