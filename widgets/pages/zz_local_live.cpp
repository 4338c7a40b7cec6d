#include "widgets/pages/live_page.h"
namespace accumulus::ui { struct LivePage::Impl{}; LivePage::LivePage(Services, QWidget* p):Page(p){} LivePage::~LivePage()=default; void LivePage::activated(){} void LivePage::showStudy(const QString&){} }
