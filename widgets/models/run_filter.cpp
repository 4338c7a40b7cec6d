// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_filter.h"

#include <QCoreApplication>
#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::RunQuery)
};

enum class Operator { Contains, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// What a key looks at.
enum class Subject { Column, Tag, Has, Id, Note, Loss, Accuracy };

struct Key {
    const char* name;
    Subject subject;
    RunColumn column;
};

// The first name of each column is the one that help shows.
constexpr Key keys[] = {
    {"status", Subject::Column, RunColumn::Status},
    {"state", Subject::Column, RunColumn::Status},
    {"name", Subject::Column, RunColumn::Name},
    {"arm", Subject::Column, RunColumn::Arm},
    {"model", Subject::Column, RunColumn::Model},
    {"data", Subject::Column, RunColumn::Data},
    {"m", Subject::Column, RunColumn::Micro},
    {"micro", Subject::Column, RunColumn::Micro},
    {"k", Subject::Column, RunColumn::Steps},
    {"b", Subject::Column, RunColumn::Batch},
    {"effective", Subject::Column, RunColumn::Batch},
    {"optimizer", Subject::Column, RunColumn::Optimizer},
    {"lr", Subject::Column, RunColumn::Lr},
    {"audit", Subject::Column, RunColumn::Audit},
    {"precision", Subject::Column, RunColumn::Precision},
    {"seed", Subject::Column, RunColumn::Seed},
    {"samples", Subject::Column, RunColumn::Samples},
    {"updates", Subject::Column, RunColumn::Updates},
    {"accuracy", Subject::Accuracy, RunColumn::Status},
    {"best", Subject::Column, RunColumn::BestAccuracy},
    {"lowest", Subject::Column, RunColumn::LowestLoss},
    {"memory", Subject::Column, RunColumn::PeakMemory},
    {"size", Subject::Column, RunColumn::CheckpointSize},
    {"speed", Subject::Column, RunColumn::SamplesPerSecond},
    {"seconds", Subject::Column, RunColumn::ActiveTime},
    {"date", Subject::Column, RunColumn::Date},
    {"loss", Subject::Loss, RunColumn::Status},
    {"tag", Subject::Tag, RunColumn::Tags},
    {"id", Subject::Id, RunColumn::Name},
    {"note", Subject::Note, RunColumn::Name},
    {"has", Subject::Has, RunColumn::Name},
};

const char* const hasWords[] = {"checkpoint", "tag", "note", "error", "accuracy"};

const Key* findKey(const QString& name) {
    const auto found = std::ranges::find_if(
        keys, [&](const Key& key) { return name.compare(QLatin1String(key.name), Qt::CaseInsensitive) == 0; });
    return found == std::end(keys) ? nullptr : &*found;
}

struct Token {
    enum class Kind { Word, Quoted, Operator, Open, Close, End } kind = Kind::End;
    QString text;
    int position = 0;
    int length = 0;
    [[nodiscard]] bool isWord() const { return kind == Kind::Word || kind == Kind::Quoted; }
    [[nodiscard]] bool is(QLatin1String word) const { return kind == Kind::Word && text == word; }
};

bool isOperatorCharacter(QChar c) { return QStringLiteral(":=<>!").contains(c); }

std::variant<std::vector<Token>, QueryError> tokenise(const QString& text) {
    std::vector<Token> tokens;
    const int size = static_cast<int>(text.size());
    int at = 0;
    const auto take = [&](Token::Kind kind, int length, const QString& content) {
        tokens.push_back({kind, content, at, length});
        at += length;
    };
    while (at < size) {
        const QChar c = text[at];
        if (c.isSpace()) {
            ++at;
        } else if (c == QLatin1Char('(')) {
            take(Token::Kind::Open, 1, c);
        } else if (c == QLatin1Char(')')) {
            take(Token::Kind::Close, 1, c);
        } else if (c == QLatin1Char('"')) {
            const auto end = static_cast<int>(text.indexOf(QLatin1Char('"'), at + 1));
            if (end < 0)
                return QueryError{at, size - at, Words::tr("The closing quotation mark is missing.")};
            take(Token::Kind::Quoted, end + 1 - at, text.mid(at + 1, end - at - 1));
        } else if (isOperatorCharacter(c)) {
            const bool two =
                c != QLatin1Char(':') && c != QLatin1Char('=') && at + 1 < size && text[at + 1] == QLatin1Char('=');
            if (c == QLatin1Char('!') && !two)
                return QueryError{at, 1, Words::tr("Write != for “not equal”, or NOT before a term.")};
            take(Token::Kind::Operator, two ? 2 : 1, text.mid(at, two ? 2 : 1));
        } else {
            int end = at;
            while (end < size && !text[end].isSpace() && !isOperatorCharacter(text[end]) &&
                   !QStringLiteral("()\"").contains(text[end]))
                ++end;
            take(Token::Kind::Word, end - at, text.mid(at, end - at));
        }
    }
    tokens.push_back({Token::Kind::End, {}, size, 0});
    return tokens;
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

std::optional<double> numberFrom(QString text) {
    double factor = 1.0;
    if (text.endsWith(QLatin1Char('%')))
        factor = 0.01;
    else if (text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive))
        factor = 1e3;
    else if (text.endsWith(QLatin1Char('M')))
        factor = 1e6;
    if (factor != 1.0)
        text.chop(1);
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? std::optional(value * factor) : std::nullopt;
}

bool compareNumbers(Operator how, double value, double wanted) {
    if (std::isnan(value))
        return false;
    // A typed 0.001 or 98 % need not be the same double as the stored one.
    const bool equal = std::abs(value - wanted) <= 1e-9 * std::max(std::abs(value), std::abs(wanted));
    switch (how) {
    case Operator::Contains:
    case Operator::Equal:
        return equal;
    case Operator::NotEqual:
        return !equal;
    case Operator::Less:
        return value < wanted && !equal;
    case Operator::LessEqual:
        return value < wanted || equal;
    case Operator::Greater:
        return value > wanted && !equal;
    case Operator::GreaterEqual:
        return value > wanted || equal;
    }
    return false;
}

bool compareTexts(Operator how, const QString& value, const QString& wanted) {
    switch (how) {
    case Operator::Contains:
        return value.contains(wanted);
    case Operator::Equal:
        return value == wanted;
    case Operator::NotEqual:
        return value != wanted;
    case Operator::Less:
        return value < wanted;
    case Operator::LessEqual:
        return value <= wanted;
    case Operator::Greater:
        return value > wanted;
    case Operator::GreaterEqual:
        return value >= wanted;
    }
    return false;
}

/// The number as the table shows it: per cent with two decimals, other measurements with four digits.
double asShown(double value, bool isShare) {
    if (!std::isfinite(value) || value == 0.0)
        return value;
    const double unit = isShare ? 1e-4 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
    return std::round(value / unit) * unit;
}

/// What stands in the table is found as well as what the library calls it.
bool compareShown(Operator how, const QString& value, const QString& shown, const QString& wanted) {
    if (how == Operator::NotEqual)
        return value != wanted && shown != wanted;
    return compareTexts(how, value, wanted) || (!shown.isEmpty() && compareTexts(how, shown, wanted));
}

struct Comparison {
    Subject subject = Subject::Column;
    RunColumn column = RunColumn::Name;
    Operator how = Operator::Contains;
    QString text; ///< lower case
    double number = 0.0;
    double dayEnd = 0.0; ///< of a date: the first second of the next day
};

bool matchesDate(const Comparison& wanted, double value) {
    switch (wanted.how) {
    case Operator::Contains:
    case Operator::Equal:
        return value >= wanted.number && value < wanted.dayEnd;
    case Operator::NotEqual:
        return value < wanted.number || value >= wanted.dayEnd;
    case Operator::Less:
        return value < wanted.number;
    case Operator::LessEqual:
        return value < wanted.dayEnd;
    case Operator::Greater:
        return value >= wanted.dayEnd;
    case Operator::GreaterEqual:
        return value >= wanted.number;
    }
    return false;
}

bool matchesHas(const QString& what, const RunRecord& run) {
    if (what == QLatin1String("checkpoint"))
        return !run.summary.checkpoint.empty();
    if (what == QLatin1String("tag"))
        return !run.tags.empty();
    if (what == QLatin1String("note"))
        return !run.notes.empty();
    if (what == QLatin1String("error"))
        return !run.error.empty();
    return run.summary.testAccuracy.has_value();
}

bool matchesComparison(const Comparison& wanted, const RunRow& row) {
    switch (wanted.subject) {
    case Subject::Tag: {
        // A tag is a word of its own: tag:tmp does not mean "tmp-old".
        const bool contained = row.tags.contains(wanted.text);
        return wanted.how == Operator::NotEqual ? !contained : contained;
    }
    case Subject::Has:
        return matchesHas(wanted.text, row.record);
    case Subject::Id:
        return row.id.startsWith(wanted.text);
    case Subject::Note:
        return compareTexts(wanted.how, QString::fromStdString(row.record.notes).toLower(), wanted.text);
    case Subject::Loss:
        return compareNumbers(wanted.how, asShown(row.record.summary.testLoss.value_or(std::nan("")), false),
                              wanted.number);
    case Subject::Accuracy:
        return compareNumbers(wanted.how, asShown(row.record.summary.testAccuracy.value_or(std::nan("")), true),
                              wanted.number);
    case Subject::Column:
        break;
    }
    const std::size_t column = indexOf(wanted.column);
    if (wanted.column == RunColumn::Date)
        return matchesDate(wanted, row.numbers[column]);
    if (wanted.column == RunColumn::BestAccuracy)
        return compareNumbers(wanted.how, asShown(row.numbers[column], true), wanted.number);
    if (isNumeric(wanted.column))
        return compareNumbers(wanted.how, row.numbers[column], wanted.number);
    return compareShown(wanted.how, row.texts[column], row.shown[column], wanted.text);
}

} // namespace

struct RunQuery::Node {
    enum class Kind { All, Any, Not, FreeText, Compare } kind = Kind::All;
    std::vector<std::shared_ptr<const Node>> children;
    QString text;
    Comparison comparison;

    [[nodiscard]] bool matches(const RunRow& row) const {
        const auto childMatches = [&](const auto& child) { return child->matches(row); };
        switch (kind) {
        case Kind::All:
            return std::ranges::all_of(children, childMatches);
        case Kind::Any:
            return std::ranges::any_of(children, childMatches);
        case Kind::Not:
            return !children.front()->matches(row);
        case Kind::FreeText:
            return row.haystack.contains(text);
        case Kind::Compare:
            return matchesComparison(comparison, row);
        }
        return false;
    }
};

namespace {

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
        comparison.how = operatorOf(next().text);
        const Token value = next();
        if (!value.isWord())
            return fail(value, Words::tr("A value is missing after “%1”.").arg(name.text));
        comparison.text = value.text.toLower();
        if (!readValue(comparison, value))
            return nullptr;
        return std::make_shared<RunQuery::Node>(RunQuery::Node{NodeKind::Compare, {}, {}, comparison});
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
        const bool numeric = comparison.subject == Subject::Loss || comparison.subject == Subject::Accuracy ||
                             (comparison.subject == Subject::Column && isNumeric(comparison.column));
        if (!numeric)
            return true;
        const auto number = numberFrom(value.text);
        if (!number) {
            fail(value, Words::tr("“%1” is not a number.").arg(value.text));
            return false;
        }
        comparison.number = *number;
        // The table shows accuracies in per cent, so 98.2 means 98.2 %.
        const bool isShare = comparison.subject == Subject::Accuracy || comparison.column == RunColumn::BestAccuracy;
        if (isShare && *number > 1.0 && !value.text.endsWith(QLatin1Char('%')))
            comparison.number /= 100.0;
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

bool RunQuery::matches(const RunRow& row) const { return !m_root || m_root->matches(row); }

std::optional<RunColumn> runQueryColumn(const QString& name) {
    const Key* key = findKey(name);
    if (key && key->subject == Subject::Loss)
        return RunColumn::Loss;
    return key && (key->subject == Subject::Column || key->subject == Subject::Tag) ? std::optional(key->column)
                                                                                    : std::nullopt;
}

QString runQueryKey(RunColumn column) {
    for (const QString& key : runQueryKeys())
        if (runQueryColumn(key) == column)
            return key;
    return {};
}

QStringList runQueryHasWords() {
    QStringList words;
    for (const char* word : hasWords)
        words << QLatin1String(word);
    return words;
}

QStringList runQueryKeys() {
    QStringList names;
    for (const Key& key : keys)
        names << QLatin1String(key.name);
    names.removeAll(QStringLiteral("state"));
    names.removeAll(QStringLiteral("micro"));
    names.removeAll(QStringLiteral("effective"));
    return names;
}

} // namespace accumulus::ui
